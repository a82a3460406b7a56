"""The package layer of Office files: zip members under limits, XML without entities, relationships, drawings, slides.

Belongs here: what more than one part of indx needs of ECMA-376 (the Office format family, and signatures that look at
slides). Does not: readers, observers and chunkers, which are in ``formats/office``. Needs nothing but the standard
library: ``zipfile`` and ``xml.etree``.
"""
