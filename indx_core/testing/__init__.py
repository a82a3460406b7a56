"""What a plugin author tests with: fakes of every port, and one conformance suite per port.

``conformance`` holds plain functions that raise ``AssertionError`` with a sentence, for any test runner; ``fakes`` are
small working implementations with scripted behaviour, not mocks. Nothing here is imported by indx itself.
"""
