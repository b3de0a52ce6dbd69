'use strict';

const { basename } = require('node:path');
const { default: Sequencer } = require('@jest/test-sequencer');

/** The test files that take longest, in this order: started last, one of them would run alone at the end. */
const longest = ['browserClicks', 'browserFields', 'queueMode', 'waiting', 'secrets', 'largeCampaign', 'deliveries'];

const place = ({ path }) => {
	const index = longest.indexOf(basename(path, '.test.mts'));
	return index === -1 ? longest.length : index;
};

/** Starts the longest test files first, also where jest knows no earlier run. */
class LongestFirst extends Sequencer {
	sort(tests) {
		return super.sort(tests).toSorted((one, other) => place(one) - place(other));
	}
}

module.exports = LongestFirst;
