// fast-check with fewer values, and without a search for the smallest counterexample: these tests run for each change.
const fastCheck = require('../../node_modules/fast-check/lib/cjs/fast-check.js');

/** For tests that ask for more, or simulate something. */
const MAX_RUNS = 2000;
const MAX_SIMULATIONS = 20;

fastCheck.configureGlobal({ endOnFailure: true });

const runsOf = (property, numRuns) => Math.min(numRuns, property.isAsync() ? MAX_SIMULATIONS : MAX_RUNS);
const assert = (property, options = {}) =>
	fastCheck.assert(property, {
		...options,
		...(options.numRuns !== undefined && { numRuns: runsOf(property, options.numRuns) }),
	});

module.exports = { ...fastCheck, assert, default: { ...fastCheck.default, assert } };
