"""``python -m tasks.practice``: serve the sites until Ctrl-C, to look at them."""

import threading

from tasks.practice.serve import serve

with serve() as url:
    print(f"practice sites at {url}  (Ctrl-C ends)")
    try:
        threading.Event().wait()
    except KeyboardInterrupt:
        print()
