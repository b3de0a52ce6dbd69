/**
 * What the node uses although it is no local field: it has to change the output or the requests. By the operation, or `*`
 * for all of them.
 */
export const usedByNode = [
	'*/limit',
	'*/returnAll',
	'*/options.oneItemFor',
	'webhook/checkRegistration/options.webhookUrl',
	'availability/getSlots/options.limit',
	'availability/getSlots/options.localTimezone',
	'call/checkBeforeCalling/phoneNumber',
	'campaign/checkBeforeCalling/phoneNumber',
];

const requests = 'integration/VoiceAgentCalling/resources/requests';
const campaigns = 'integration/VoiceAgentCalling/resources/campaign';
const apply = 'integration/VoiceAgentCalling/agents/apply/apply';
const callingHours = 'integration/VoiceAgentCalling/callRules/callingHours';
const consent = 'integration/VoiceAgentCalling/callRules/consent';
const frequencyCap = 'integration/VoiceAgentCalling/callRules/frequencyCap';
const catchUp = 'integration/VoiceAgentCalling/resources/catchUp';
const checkBeforeCalling = 'integration/VoiceAgentCalling/resources/checkBeforeCalling';
const checkRegistration = 'integration/VoiceAgentCalling/resources/checkRegistration';
const flowValidate = 'integration/VoiceAgentCalling/resources/flowValidate';
const sameNumber = 'integration/VoiceAgentCalling/sending/sameNumber';
const waiting = 'integration/VoiceAgentCalling/waiting/waiting';
const waitingCampaigns = 'integration/VoiceAgentCalling/waiting/campaigns';

/**
 * What makes no difference in the run of one operation in the sandbox: why, and the test below `test/` that has it. By
 * the operation, or `*` for all of them.
 */
export const shownElsewhere: Record<string, [why: string, test: string]> = {
	'agentAction/getAll/limit': ['only for an agent with more actions', requests],
	'agentAction/getAll/returnAll': ['only for an agent with more actions', requests],
	'campaign/getCalls/limit': ['only for a campaign with more calls', campaigns],
	'campaign/getCalls/returnAll': ['only for a campaign with more calls', campaigns],
	'webhook/getAll/limit': ['only for an owner with more webhooks', requests],
	'webhook/getAll/returnAll': ['only for an owner with more webhooks', requests],
	'*/options.callingHours': ['depends on the hour', callingHours],
	'*/options.ifOutside': ['depends on the hour', callingHours],
	'*/options.consent': ['needs several fields', consent],
	'*/options.frequencyCap': ['only for a phone that was called', frequencyCap],
	'*/options.timeLimit': ['only if the call lasts longer', waiting],
	'campaign/waitUntilCompleted/options.timeLimit': ['only if the campaign lasts longer', waitingCampaigns],
	'campaign/waitUntilCompleted/options.pollInterval': ['only while it waits', waitingCampaigns],
	'campaign/waitUntilCompleted/waitBy': ['only while it waits', waitingCampaigns],
	'*/options.pollInterval': ['only while it waits', waiting],
	'*/options.waitFor': ['only after the call', waiting],
	'agent/apply/options.removeOthers': ['only for an agent that has more than the document', apply],
	'agent/apply/options.unreadableFields': ['only for an agent that exists', apply],
	'agentFlow/validate/options.samplePayload': ['only for a flow that uses it', flowValidate],
	'webhook/catchUp/options.maxRedeliveries': ['only for several failed deliveries', catchUp],
	'*/options.repeatedNumber': ['only for the same number in several items', sameNumber],
	'webhook/checkRegistration/options.additionalEvents': ['only for a webhook that exists', checkRegistration],
	'webhook/checkRegistration/options.events': ['only for a webhook that exists', checkRegistration],
	'availability/updateRule/ruleType': ['decides which fields are shown', requests],
	'call/checkBeforeCalling/options.delay': ['only with calling hours', callingHours],
	...Object.fromEntries(
		['call', 'campaign'].flatMap((resource) =>
			[
				['only with the name of a variable', 'agentVariables', 'options.variablesJson', 'options.missingVariables'],
				['kept for the operation that calls', 'testCall', 'options.metadataFields', 'options.metadataJson'],
			].flatMap(([why = '', ...names]) =>
				names.map((name) => [`${resource}/checkBeforeCalling/${name}`, [why, checkBeforeCalling] as [string, string]]),
			),
		),
	),
	'*/options.ifAlreadyQueued': ['only if the number is queued', 'integration/VoiceAgentCalling/sending/calls'],
};
