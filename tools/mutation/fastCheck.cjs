// fast-check with fewer values, and without a search for the smallest counterexample: these tests run for each change.
const fastCheck = require('../../node_modules/fast-check/lib/cjs/fast-check.js');

const MAX_RUNS = 2000;

fastCheck.configureGlobal({ endOnFailure: true });

const assert = (property, options = {}) =>
	fastCheck.assert(property, {
		...options,
		...(options.numRuns > MAX_RUNS && { numRuns: MAX_RUNS }),
	});

module.exports = { ...fastCheck, assert, default: { ...fastCheck.default, assert } };
