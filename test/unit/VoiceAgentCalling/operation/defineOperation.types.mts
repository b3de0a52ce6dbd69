// Mistakes in a declaration that the compiler must find: each stands below a comment that expects an error, which is an
// error itself if there is none. `npm test` compiles this file and does not run it.
import { choice, defineField, local } from '../../../../nodes/shared/fields/field.ts';
import { secret, text } from '../../../../nodes/shared/fields/kinds.ts';
import { agent, campaign } from '../../../../nodes/shared/pickers/locators.ts';
import { returnAll } from '../../../../nodes/VoiceAgentCalling/fields/common.ts';
import { phoneNumber } from '../../../../nodes/VoiceAgentCalling/fields/phoneNumbers.ts';
import {
	campaignTimeLimit,
	agentCallTimeLimit as timeLimit,
} from '../../../../nodes/VoiceAgentCalling/fields/timeLimit.ts';
import { campaignPollInterval, waitByCampaignEnd } from '../../../../nodes/VoiceAgentCalling/fields/waitForCampaign.ts';
import { pollInterval, waitByAgentEvent as waitBy } from '../../../../nodes/VoiceAgentCalling/fields/waiting.ts';
import { defineOperation } from '../../../../nodes/VoiceAgentCalling/operation/defineOperation.ts';
import { outputsOf } from '../../../../nodes/VoiceAgentCalling/operation/outputChoice.ts';

const texts = { name: 'Try', value: 'try', action: 'Try an agent', description: 'Try it' };
const request = () => ({ method: 'GET' as const, path: ['agents'] });
const items = (body: Record<string, unknown>) => body.data;
const run = async () => [];
const property = (name: string) => ({ displayName: 'Try', name });

// What is right compiles.
defineOperation({ ...texts, fields: [agent], request, outputs: outputsOf('GET /agents', ['id', 'name']) });
defineOperation({ ...texts, fields: [returnAll], request, items });
defineOperation({ ...texts, fields: [agent], request, drafts: 'agent' });
defineOperation({ ...texts, fields: [agent, phoneNumber], request, callerIdField: 'agentId' });
defineOperation({
	...texts,
	fields: [agent, phoneNumber, waitBy],
	options: [pollInterval, timeLimit],
	request,
	callerIdField: 'agentId',
	waits: true,
});
defineOperation({
	...texts,
	fields: [campaign, waitByCampaignEnd],
	options: [campaignPollInterval, campaignTimeLimit],
	run,
	waitsFor: 'campaigns',
});
defineOperation({ ...texts, fields: [agent], run });

// @ts-expect-error A listing without Return All has no limit: its output would be empty.
defineOperation({ ...texts, fields: [agent], request, items });

// @ts-expect-error A listing gives its items, so `output` would be ignored.
defineOperation({ ...texts, fields: [returnAll], request, items, output: items });

// @ts-expect-error `run` sends the requests itself, so `request` would be ignored.
defineOperation({ ...texts, run, request });

// @ts-expect-error `run` handles its own errors, so `recover` would be ignored.
defineOperation({ ...texts, run, recover: () => undefined });

// @ts-expect-error `run` checks by itself what has to come first, so `before` would be ignored.
defineOperation({ ...texts, run, before: async () => undefined });

// @ts-expect-error Publish Afterwards needs to know the agent.
defineOperation({ ...texts, fields: [campaign], request, drafts: 'agent' });

// @ts-expect-error A call needs the number to call.
defineOperation({ ...texts, fields: [agent], request, callerIdField: 'agentId' });

// @ts-expect-error A call needs whoever calls.
defineOperation({ ...texts, fields: [agent, phoneNumber], request, callerIdField: 'campaignId' });

// @ts-expect-error Waiting needs Time Limit and Poll Interval, too.
defineOperation({ ...texts, fields: [agent, phoneNumber, waitBy], request, callerIdField: 'agentId', waits: true });

// @ts-expect-error Only an operation that calls can wait for the outcome of a call.
defineOperation({ ...texts, fields: [agent, waitBy], options: [pollInterval, timeLimit], request, waits: true });

// @ts-expect-error Waiting for a campaign needs Time Limit and Poll Interval, too.
defineOperation({ ...texts, fields: [campaign, waitByCampaignEnd], run, waitsFor: 'campaigns' });

const waitOptions = [campaignPollInterval, campaignTimeLimit] as const;
// @ts-expect-error Waiting for a campaign needs the campaign.
defineOperation({ ...texts, fields: [agent, waitByCampaignEnd], options: waitOptions, run, waitsFor: 'campaigns' });

// @ts-expect-error The key is none of the secrets that are hidden in outputs and errors.
secret('pass_word', { displayName: 'Password', name: 'password' });

// @ts-expect-error The service has no field with this name.
outputsOf('GET /agents', ['id', 'nmae']);

// @ts-expect-error The objects of this endpoint have ten fields or fewer.
outputsOf('GET /calendars', ['id']);

const name = text('name', property('name'));
const sameKey = text('name', property('otherName'));
// @ts-expect-error Two values with one key: the option would replace the field.
defineOperation({ ...texts, fields: [name], options: [sameKey], request });

// @ts-expect-error No error has this code.
defineOperation({ ...texts, request: () => ({ ...request(), codes: { 404: 'AGENT_NOT_FUOND' } }) });

const mode = local(choice('mode', { ...property('mode'), default: 'one', options: [{ name: 'One', value: 'one' }] }));

// @ts-expect-error The value of a local field is not among the values for the request.
defineOperation({ ...texts, fields: [mode], request: ({ mode }) => ({ ...request(), body: { mode } }) });

// @ts-expect-error The field has another type of value.
defineField<'count', number>({ key: 'count', properties: agent.properties, check: (zod) => zod.string() });
