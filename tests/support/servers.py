"""A server on this machine that answers as it is told, also in every way in which servers go wrong."""

import contextlib
import http.server
import json
import threading
from collections.abc import Callable, Iterator


class Told(http.server.ThreadingHTTPServer):
    """`answers` are given in turn, the last one again and again; `asked` and `headers` keep what came.

    An answer is a function of the handler and the body it was sent. `over` is set when the test ends: an answer may wait for it.
    """

    daemon_threads = True

    def __init__(self, answer: Callable):
        super().__init__(("127.0.0.1", 0), _Handler)
        self.answers, self.asked, self.headers = [answer], [], []
        self.over, self.lock = threading.Event(), threading.Lock()
        self.host = f"http://127.0.0.1:{self.server_address[1]}"
        self.address = f"{self.host}/v1"

    def handle_error(self, request, client_address):
        """Who hung up is no news."""


class _Handler(http.server.BaseHTTPRequestHandler):
    def do_POST(self):
        body = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
        with self.server.lock:
            self.server.asked.append(body)
            self.server.headers.append((self.path, self.headers.get("Authorization")))
            answers = self.server.answers
            answer = answers.pop(0) if len(answers) > 1 else answers[0]
        with contextlib.suppress(OSError):
            answer(self, body)

    def log_message(self, *arguments):
        pass


@contextlib.contextmanager
def told(answer: Callable) -> Iterator[Told]:
    """The server, listening until the test is over."""
    server = Told(answer)
    threading.Thread(target=server.serve_forever, args=(0.02,), daemon=True).start()
    try:
        yield server
    finally:
        server.over.set()
        server.shutdown()
        server.server_close()


def send(content="", status=200, kind="application/json", **fields) -> Callable:
    """An answer with a status, fields of its header (Retry_After), and a content: text, bytes, or a function of the body."""

    def answer(handler, body):
        text = content(body) if callable(content) else content
        coded = text if isinstance(text, bytes) else text.encode("utf-8", "surrogatepass")
        handler.send_response(status)
        handler.send_header("Content-Type", kind)
        handler.send_header("Content-Length", str(len(coded)))
        for name, value in fields.items():
            handler.send_header(name.replace("_", "-"), value)
        handler.end_headers()
        handler.wfile.write(coded)

    return answer


def breaks_off(handler, body):
    """A part of an answer, and the line is cut."""
    handler.send_response(200)
    handler.send_header("Transfer-Encoding", "chunked")
    handler.end_headers()
    handler.wfile.write(b"40\r\n{")
    handler.wfile.flush()
    handler.close_connection = True
    handler.connection.close()


def short(handler, body):
    """Less than the header promises."""
    handler.send_response(200)
    handler.send_header("Content-Length", "1000")
    handler.end_headers()
    handler.wfile.write(b"{")
    handler.close_connection = True


def drips(handler, body):
    """A letter now and then, so that a limit for each letter is never reached."""
    handler.send_response(200)
    handler.send_header("Content-Length", "100000000")
    handler.end_headers()
    while not handler.server.over.wait(0.01):
        handler.wfile.write(b" ")
        handler.wfile.flush()


def drips_header(handler, body):
    """The same before the header has ended."""
    handler.wfile.write(b"HTTP/1.0 200 OK\r\nX-Slow: ")
    while not handler.server.over.wait(0.01):
        handler.wfile.write(b"a")
        handler.wfile.flush()


def silent(handler, body):
    """Nothing."""
    handler.server.over.wait()
    handler.close_connection = True
