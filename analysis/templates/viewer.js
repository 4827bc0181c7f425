"use strict";
// Steps through example games. The page holds what each ply adds and removes: nothing here knows the rules of Go.
for (const viewer of document.querySelectorAll(".viewer")) {
  const find = (selector) => viewer.querySelector(selector);
  const data = JSON.parse(find("script").textContent);
  const [columns, rows] = data.size;
  const choice = find("select"), slider = find("input"), board = find("svg"), pieces = find(".pieces");
  let game, ply;

  const nameOf = (point) => "ABCDEFGHJKLMNOPQRSTUVWXYZ"[point % columns] + (rows - Math.floor(point / columns));
  const colorOf = (number) => ((game.colors ? game.colors[number - 1] === "B" : number % 2 === 1) ? "black" : "white");
  const end = () => game.plies.length;
  const eventsHere = () => game.events.filter((event) => event.ply === ply);
  const targets = {
    first: () => 0,
    back: () => ply - 1,
    forward: () => ply + 1,
    last: end,
    event: () => Math.min(...game.events.map((event) => event.ply).filter((other) => other > ply)),
  };
  const keys = { Home: "first", ArrowLeft: "back", ArrowRight: "forward", End: "last", e: "event" };

  /** Draws an element around a point, shifted by parts of a cell. */
  function draw(tag, className, point, place) {
    const x = data.at[0] + data.cell * (point % columns);
    const y = data.at[1] + data.cell * Math.floor(point / columns);
    const element = document.createElementNS(board.namespaceURI, tag);
    element.setAttribute("class", className);
    for (const [name, value] of Object.entries(place(x, y, data.cell))) element.setAttribute(name, value);
    pieces.append(element);
    return element;
  }
  const disc = (share) => (x, y, cell) => ({ cx: x, cy: y, r: share * cell });
  const text = (x, y, cell) => ({ x, y: y + 0.19 * cell, style: `font-size: ${0.55 * cell}px` });
  const cross = (sign) => (x, y, cell) =>
    ({ x1: x - 0.22 * cell, y1: y - 0.22 * sign * cell, x2: x + 0.22 * cell, y2: y + 0.22 * sign * cell });

  function drawPosition() {
    pieces.replaceChildren();
    const stones = new Map((game.start ?? []).map((point) => [point, "black"]));
    game.plies.slice(0, ply).forEach(([added, ...removed], index) => {
      if (added >= 0) stones.set(added, colorOf(index + 1));
      removed.forEach((point) => stones.delete(point));
    });
    for (const [point, color] of stones) draw("circle", `stone ${color}`, point, disc(data.stone));
    for (const point of eventsHere().flatMap((event) => event.rejected)) {
      for (const sign of [1, -1]) draw("line", "rejected", point, cross(sign));
    }
    if (ply === end()) {
      for (const [sign, points] of game.signs) {
        for (const point of points) draw("text", `sign on-${stones.get(point)}`, point, text).textContent = sign;
      }
    }
    const last = ply > 0 ? game.plies[ply - 1][0] : -1;
    // Around the sign, if there is one. After a suicide no stone is left there.
    if (last >= 0) draw("circle", `last on-${stones.get(last) ?? "board"}`, last, disc(ply === end() ? 0.34 : 0.2));
  }

  function moveText() {
    if (ply === 0) return game.start ? "The handicap stones; White plays first." : "The empty board; Black plays first.";
    const [added, ...removed] = game.plies[ply - 1];
    const move = (colorOf(ply) === "black" ? "Black" : "White") + (added >= 0 ? ` ${nameOf(added)}` : " passes");
    const stones = removed.length === 1 ? "1 stone" : `${removed.length} stones`;
    return `Ply ${ply} of ${end()}: ${move}${removed.length > 0 ? `, removing ${stones}` : ""}.`;
  }

  function show(target) {
    if (!(target >= 0 && target <= end())) return;
    ply = target;
    drawPosition();
    viewer.dataset.ply = ply;
    slider.value = ply;
    slider.setAttribute("aria-valuetext", `ply ${ply} of ${end()}`);
    find(".caption").textContent = [moveText(), ...eventsHere().map((event) => event.text)].join(" ");
    find(".legend").hidden = ply !== end() || game.legend === "";
    for (const button of viewer.querySelectorAll("button")) {
      const goal = targets[button.dataset.go]();
      button.setAttribute("aria-disabled", !(goal >= 0 && goal <= end() && goal !== ply));
    }
  }

  function choose() {
    game = data.games[choice.selectedIndex];
    ply = 0;
    slider.max = end();
    find("textarea").value = game.sgf;
    find(".legend").textContent = game.legend;
    const option = choice.selectedOptions[0];
    find(".shown").textContent = `${option.parentElement.label}: ${option.textContent}`;
    show(game.focus);
  }

  find(".play").addEventListener("keydown", (event) => {
    const isOurs = event.target !== slider || event.key === "e";
    if (!(event.key in keys) || !isOurs || event.ctrlKey || event.altKey || event.metaKey) return;
    event.preventDefault();
    show(targets[keys[event.key]]());
  });
  for (const button of viewer.querySelectorAll("button")) {
    button.addEventListener("click", () => show(targets[button.dataset.go]()));
  }
  slider.addEventListener("input", () => show(Number(slider.value)));
  choice.addEventListener("change", choose);
  find("textarea").addEventListener("focus", (event) => event.target.select());
  let seen;
  addEventListener("beforeprint", () => { seen = ply; show(end()); });
  addEventListener("afterprint", () => show(seen));

  for (const hidden of viewer.querySelectorAll(".live[hidden]")) hidden.hidden = false;
  find(".shown").classList.add("print-only");
  find(".stage").tabIndex = 0;
  choose();
}
