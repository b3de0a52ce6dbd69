'use strict';

// Loaded into n8n before its own code. Every name that ends in .localhost leads to this machine, as browsers have it;
// not every system resolves such names.
const dns = require('node:dns');

const { lookup } = dns;

dns.lookup = (host, ...rest) => lookup(String(host).endsWith('.localhost') ? '127.0.0.1' : host, ...rest);
