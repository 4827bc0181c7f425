// Saves charts as files. What style sheets give to a picture is written into its copy.
const STYLES = ["fill", "fill-opacity", "stroke", "stroke-width", "stroke-opacity", "stroke-dasharray", "stroke-linecap", "stroke-linejoin", "paint-order", "font"];
for (const figure of document.querySelectorAll("figure")) {
  const chart = figure.querySelector(".chart"), caption = figure.querySelector("figcaption");
  if (!chart || !caption || figure.matches(".viewer")) continue;
  const name = `jigo-${chart.querySelector("title").id.replace(/-title$/, "")}`;
  const { width, height } = chart.viewBox.baseVal;

  function standalone() {
    const copy = chart.cloneNode(true);
    const originals = [chart, ...chart.querySelectorAll("*")];
    [copy, ...copy.querySelectorAll("*")].forEach((element, index) => {
      const style = getComputedStyle(originals[index]);
      element.setAttribute("style", STYLES.map((name) => `${name}:${style.getPropertyValue(name)}`).join(";"));
    });
    const paper = document.createElementNS(chart.namespaceURI, "rect");
    for (const [name, value] of Object.entries({ x: -12, y: -12, width: width + 24, height: height + 24 })) paper.setAttribute(name, value);
    paper.setAttribute("fill", getComputedStyle(figure).getPropertyValue("--ground"));
    copy.prepend(paper);
    copy.setAttribute("viewBox", `-12 -12 ${width + 24} ${height + 24}`);
    copy.setAttribute("width", width + 24);
    copy.setAttribute("height", height + 24);
    return `data:image/svg+xml;charset=utf-8,${encodeURIComponent(new XMLSerializer().serializeToString(copy))}`;
  }

  function save(address, suffix) {
    const link = document.createElement("a");
    link.href = address;
    link.download = `${name}.${suffix}`;
    link.click();
  }

  const savers = {
    SVG: () => save(standalone(), "svg"),
    PNG: () => {
      const image = new Image(), canvas = document.createElement("canvas");
      [canvas.width, canvas.height] = [3 * (width + 24), 3 * (height + 24)];
      image.onload = () => {
        canvas.getContext("2d").drawImage(image, 0, 0, canvas.width, canvas.height);
        save(canvas.toDataURL(), "png");
      };
      image.src = standalone();
    },
  };
  const row = document.createElement("p");
  row.className = "save";
  for (const [kind, action] of Object.entries(savers)) {
    const button = document.createElement("button");
    button.type = "button";
    button.textContent = kind;
    button.setAttribute("aria-label", `Save ${caption.querySelector("h2, h3, h4").textContent} as ${kind}`);
    button.addEventListener("click", action);
    row.append(button);
  }
  caption.prepend(row);
}
