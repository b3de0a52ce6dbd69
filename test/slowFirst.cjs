'use strict';

const { default: Sequencer } = require('@jest/test-sequencer');

/**
 * Files that take long, the longest first. jest knows how long a file took in an earlier run; in a fresh clone it
 * goes by the size of the file, and would start these last, with one core idle at the end.
 */
const slow = [
	'integration/VoiceAgentCalling/sending/faultMatrix.test.mts',
	'integration/VoiceAgentCalling/sending/sending.test.mts',
	'scripts/setup.test.mts',
	'integration/errorTable.test.mts',
	'integration/secrets.test.mts',
	'integration/VoiceAgentCalling/waiting/waiting.test.mts',
	'sandbox/http/robustness.test.mts',
];

/** Starts the slow files first. */
module.exports = class SlowFirst extends Sequencer {
	async sort(tests) {
		const rank = ({ path }) => {
			const place = slow.findIndex((name) => path.replaceAll('\\', '/').endsWith(`/test/${name}`));
			return place === -1 ? slow.length : place;
		};
		return (await super.sort(tests)).sort((one, other) => rank(one) - rank(other));
	}
};
