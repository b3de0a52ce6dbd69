'use strict';

const { default: Sequencer } = require('@jest/test-sequencer');

/** Starts the fastest test files first: most changes make one of them fail. */
module.exports = class FastFirst extends Sequencer {
	sort(tests) {
		const times = new Map(tests.map((test) => [test, this.time(test) ?? 0]));
		return [...tests].sort((left, right) => times.get(left) - times.get(right));
	}

	/** The times are those without a change. */
	cacheResults(tests, results) {
		if (process.env.__STRYKER_ACTIVE_MUTANT__ === undefined) {
			super.cacheResults(tests, results);
		}
	}
};
