'use strict';

const { default: Sequencer } = require('@jest/test-sequencer');

/**
 * The slowest test files. jest knows how long a file took in an earlier run; in a fresh clone it goes by the size of the
 * file, and might start one of these last, with the other core idle at the end.
 */
const slowest = [
	'integration/VoiceAgentCalling/sending/faultMatrix',
	'integration/VoiceAgentCalling/sending/sending',
	'scripts/setup',
	'integration/errorTable',
	'integration/secrets',
	'integration/VoiceAgentCalling/waiting/waiting',
	'sandbox/http/robustness',
	'e2e/browserClicks',
	'e2e/browserFields',
	'e2e/queueMode',
	'e2e/waiting',
	'e2e/secrets',
	'e2e/largeCampaign',
	'e2e/deliveries',
];

function rank({ path }) {
	const place = slowest.findIndex((name) => path.replaceAll('\\', '/').endsWith(`/test/${name}.test.mts`));
	return place === -1 ? slowest.length : place;
}

/** Starts the slowest files first, and the others in jest's order. */
module.exports = class SlowFirst extends Sequencer {
	async sort(tests) {
		return (await super.sort(tests)).sort((left, right) => rank(left) - rank(right));
	}
};
