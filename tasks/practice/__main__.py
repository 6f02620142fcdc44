"""``python -m tasks.practice`` serves the sites until Ctrl-C, to view them in a browser."""

import threading

from tasks.practice.serve import serve

with serve() as url:
    print(f"practice sites at {url}  (Ctrl-C to stop)")
    try:
        threading.Event().wait()
    except KeyboardInterrupt:
        print()
