"""Controls a headless Chromium through the DevTools protocol over pipes, with the standard library alone."""

import fcntl
import json
import os
import pathlib
import shutil
import subprocess
import tempfile

# Returns the position and size of an element in the window.
BOX = "const box = %s.getBoundingClientRect(); return [box.x, box.y, box.width, box.height];"
NAMES = ("chromium", "chromium-browser", "google-chrome", "google-chrome-stable")


def find():
    """Returns the path of a Chromium, or None."""
    return next(filter(None, map(shutil.which, NAMES)), None)


class Browser:
    """One page. `events` keeps everything that it reports by itself (errors, requests)."""

    def __init__(self, program):
        self.profile = tempfile.TemporaryDirectory(ignore_cleanup_errors=True)
        ours = [*os.pipe(), *os.pipe()]
        # Above 4, so that moving two of them to the numbers that Chromium expects overwrites none.
        high = [fcntl.fcntl(end, fcntl.F_DUPFD_CLOEXEC, 10) for end in ours]
        for end in ours:
            os.close(end)
        to_read, self.to_write, self.from_read, from_write = high

        def put_pipes():
            os.dup2(to_read, 3)
            os.dup2(from_write, 4)

        flags = ["--headless=new", "--disable-gpu", "--disable-dev-shm-usage", "--remote-debugging-pipe", "--no-first-run", "--disable-background-networking"]
        if os.geteuid() == 0:
            flags.append("--no-sandbox")  # Chromium refuses to run as root with one.
        self.process = subprocess.Popen(
            [program, *flags, f"--user-data-dir={self.profile.name}", "about:blank"],
            preexec_fn=put_pipes, pass_fds=(3, 4), stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL,
        )
        os.close(to_read)
        os.close(from_write)
        self.buffer, self.number, self.session, self.events = b"", 0, None, []
        target = self.call("Target.createTarget", url="about:blank")["targetId"]
        self.session = self.call("Target.attachToTarget", targetId=target, flatten=True)["sessionId"]
        for domain in ("Page", "Runtime", "Log", "Network"):
            self.call(f"{domain}.enable")

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.process.terminate()
        self.process.wait(timeout=20)
        self.profile.cleanup()

    def receive(self):
        while b"\0" not in self.buffer:
            bytes_read = os.read(self.from_read, 1 << 20)
            if not bytes_read:
                raise RuntimeError("the browser has ended")
            self.buffer += bytes_read
        message, self.buffer = self.buffer.split(b"\0", 1)
        return json.loads(message)

    def call(self, method, **parameters):
        self.number += 1
        message = {"id": self.number, "method": method, "params": parameters}
        if self.session:
            message["sessionId"] = self.session
        data = json.dumps(message).encode() + b"\0"
        while data:
            data = data[os.write(self.to_write, data):]
        while (answer := self.receive()).get("id") != self.number:
            self.events.append(answer)
        if "error" in answer:
            raise RuntimeError(f"{method}: {answer['error']}")
        return answer["result"]

    def open(self, path):
        """Loads a file, waits until it has run, and returns its address."""
        url = pathlib.Path(path).resolve().as_uri()
        self.call("Page.navigate", url=url)
        while not any(event.get("method") == "Page.loadEventFired" for event in self.events):
            self.events.append(self.receive())
        self.events = [event for event in self.events if event.get("method") != "Page.loadEventFired"]
        return url

    def evaluate(self, expression):
        result = self.call("Runtime.evaluate", expression=expression, returnByValue=True, awaitPromise=True)
        if "exceptionDetails" in result:
            raise RuntimeError(f"{expression}: {result['exceptionDetails']}")
        return result["result"].get("value")

    def key(self, key):
        code = {"Home": 36, "End": 35, "ArrowLeft": 37, "ArrowRight": 39, "Tab": 9}.get(key, ord(key[0].upper()))
        for kind in ("rawKeyDown", "keyUp"):
            self.call("Input.dispatchKeyEvent", type=kind, key=key, windowsVirtualKeyCode=code)

    def click(self, element):
        """Clicks on the middle of the element that an expression gives."""
        x, y, width, height = self.evaluate(f"(() => {{ {element}.scrollIntoView({{ block: 'center' }}); {BOX % element} }})()")
        x, y = x + width / 2, y + height / 2
        for kind in ("mousePressed", "mouseReleased"):
            self.call("Input.dispatchMouseEvent", type=kind, x=x, y=y, button="left", clickCount=1)

    def set_layout(self, width, height, scheme):
        self.call("Emulation.setDeviceMetricsOverride", width=width, height=height, deviceScaleFactor=1, mobile=False)
        self.call("Emulation.setEmulatedMedia", features=[{"name": "prefers-color-scheme", "value": scheme}])

    def complaints(self, url):
        """Returns errors and messages of the console, and requests for anything that is not in the page itself."""
        found = []
        for event in self.events:
            method, parameters = event.get("method"), event.get("params", {})
            if method in ("Runtime.exceptionThrown", "Runtime.consoleAPICalled", "Log.entryAdded"):
                found.append(json.dumps(parameters))
            elif method == "Network.requestWillBeSent" and not parameters["request"]["url"].startswith((url, "data:")):
                found.append(f"request of {parameters['request']['url']}")
        return found
