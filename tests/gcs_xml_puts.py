"""What fake-gcs-server lacks of Google's XML protocol: a PUT of an object. Everything else is passed on as it came.

The client under test writes by ``PUT /<bucket>/<key>``, which that server answers with 400. Here it becomes an upload
of the JSON protocol, which the server does know; the object then is in the real server, and is read back from there.
"""

import http.client
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from urllib.parse import quote, unquote, urlsplit

_HOP_BY_HOP = {"connection", "transfer-encoding", "host", "content-length", "date", "server"}


@contextmanager
def xml_puts(url: str) -> Iterator[str]:
    """Address of a server that takes PUTs for the one at ``url``."""
    host, port = urlsplit(url).hostname, urlsplit(url).port

    class Handler(BaseHTTPRequestHandler):
        protocol_version = "HTTP/1.1"

        def do_PUT(self) -> None:
            body = self.rfile.read(int(self.headers["Content-Length"]))
            bucket, _, key = unquote(self.path[1:]).partition("/")
            path = f"/upload/storage/v1/b/{bucket}/o?uploadType=media&name={quote(key, safe='')}"
            self._pass_on("POST", path, body)

        def do_GET(self) -> None:
            self._pass_on(self.command, self.path)

        do_HEAD = do_DELETE = do_GET

        def _pass_on(self, method: str, path: str, body: bytes | None = None) -> None:
            kept = {name: value for name, value in self.headers.items() if name.lower() not in _HOP_BY_HOP}
            upstream = http.client.HTTPConnection(str(host), port, timeout=20)
            upstream.request(method, path, body, kept)
            answer = upstream.getresponse()
            data = answer.read()
            self.send_response(answer.status)
            for name, value in answer.getheaders():
                if name.lower() not in _HOP_BY_HOP:
                    self.send_header(name, value)
            if method == "POST":
                self.send_header("ETag", '"written"')
            length = answer.headers.get("Content-Length") if method == "HEAD" else str(len(data))
            self.send_header("Content-Length", length or "0")
            self.end_headers()
            self.wfile.write(data)
            upstream.close()

        def log_message(self, *_: object) -> None:
            """Tests are quiet."""

    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    server.daemon_threads = True
    threading.Thread(target=server.serve_forever, daemon=True).start()
    try:
        yield f"http://127.0.0.1:{server.server_address[1]}"
    finally:
        server.shutdown()
        server.server_close()
