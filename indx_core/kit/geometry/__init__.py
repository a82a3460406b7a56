"""Boxes on a page and the order a person reads them in: plain arithmetic on rectangles.

What belongs here: functions of coordinates alone, without images, fonts or recognisers, so that every case can be
tested with boxes written by hand. What does not: how boxes are found (``engines``, ``formats``) and how text is joined.
"""
