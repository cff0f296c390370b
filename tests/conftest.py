"""What all tests share."""

import signal
import threading

if (
    signal.getsignal(signal.SIGINT) is signal.SIG_IGN
    and threading.current_thread() is threading.main_thread()
):
    # A shell that starts us in the background has Ctrl-C ignored, in our children, too. Some tests send it.
    signal.signal(signal.SIGINT, signal.default_int_handler)
