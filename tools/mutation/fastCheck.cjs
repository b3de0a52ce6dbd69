// fast-check with fewer values, and without a search for the smallest counterexample: these tests run for each change.
const fastCheck = require('../../node_modules/fast-check/lib/cjs/fast-check.js');

const MAX_RUNS = 2000;

fastCheck.configureGlobal({ endOnFailure: true });

const assert = (property, { numRuns = 100, ...options } = {}) =>
	fastCheck.assert(property, { ...options, numRuns: Math.min(numRuns, MAX_RUNS) });

module.exports = { ...fastCheck, assert, default: { ...fastCheck.default, assert } };
