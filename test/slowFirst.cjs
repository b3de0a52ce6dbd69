'use strict';

const { default: Sequencer } = require('@jest/test-sequencer');

/**
 * The slowest test files. jest knows how long a file took in an earlier run; in a fresh clone it goes by the size of the
 * file, and might start one of these last, with the other core idle at the end.
 */
const slowest = [
	'integration/simulation/simulation',
	'integration/simulation/executions',
	'integration/everyField',
	'sandbox/contract/program',
	'integration/VoiceAgentCalling/sending/faultMatrix',
	'integration/errorTable',
	'integration/VoiceAgentCalling/sending/sending',
	'integration/recordedRuns',
	'integration/VoiceAgentCalling/callRules/agentVariables',
	'integration/secrets',
	'integration/credentials/credentialTest',
	'integration/VoiceAgentCalling/run/outputChoice',
	'unit/VoiceAgentCalling/callRules/openings',
	'integration/VoiceAgentCallingTrigger/registration/connections',
	// Those that mostly wait run beside those that keep a core busy.
	'e2e/waiting',
	'e2e/secrets',
	'e2e/browserFields',
	'e2e/largeCampaign',
	'e2e/trigger',
	'e2e/exampleLeads',
];

/** Starts last, beside at most one other: its five processes of n8n and its databases need the machine. */
const last = 'e2e/queueMode';

function rank({ path }) {
	const isFile = (name) => path.replaceAll('\\', '/').endsWith(`/test/${name}.test.mts`);
	const place = slowest.findIndex(isFile);
	return place === -1 ? slowest.length + Number(isFile(last)) : place;
}

/** Starts the slowest files first, and the others in jest's order. */
module.exports = class SlowFirst extends Sequencer {
	async sort(tests) {
		return (await super.sort(tests)).sort((left, right) => rank(left) - rank(right));
	}
};
