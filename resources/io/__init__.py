"""Where outputs are kept. The lake's own code is ``indx_core/kit/lake``; here is its configuration."""
