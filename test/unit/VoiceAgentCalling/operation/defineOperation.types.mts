// Mistakes in a declaration that the compiler must find: each stands below a comment that expects an error, which is an
// error itself if there is none. What is right compiles in every operation. `npm test` only compiles this file.
import { choice, local } from '../../../../nodes/shared/fields/field.ts';
import { secret, text } from '../../../../nodes/shared/fields/kinds.ts';
import { agent, campaign } from '../../../../nodes/shared/pickers/locators.ts';
import { returnAll } from '../../../../nodes/VoiceAgentCalling/fields/common.ts';
import { phoneNumber } from '../../../../nodes/VoiceAgentCalling/fields/phoneNumbers.ts';
import { waitByAgentEvent as waitBy, waitByCampaignEnd } from '../../../../nodes/VoiceAgentCalling/fields/waiting.ts';
import { defineOperation } from '../../../../nodes/VoiceAgentCalling/operation/defineOperation.ts';
import { outputsOf } from '../../../../nodes/VoiceAgentCalling/operation/outputChoice.ts';

const texts = { name: 'Try', value: 'try', action: 'Try an agent', description: 'Try it' };
const request = () => ({ method: 'GET' as const, path: ['agents'] });
const items = (body: Record<string, unknown>) => body.data;
const run = async () => [];
const property = (name: string) => ({ displayName: 'Try', name });

// @ts-expect-error A listing without Return All has no limit: its output would be empty.
defineOperation({ ...texts, fields: [agent], request, items });
// @ts-expect-error A listing gives its items, so `output` would be ignored.
defineOperation({ ...texts, fields: [returnAll], request, items, output: items });
// @ts-expect-error `run` sends the requests and handles its errors itself, so `recover` would be ignored.
defineOperation({ ...texts, run, recover: () => undefined });
// @ts-expect-error Publish Afterwards needs to know the agent.
defineOperation({ ...texts, fields: [campaign], request, drafts: 'agent' });
// @ts-expect-error A call needs the number to call.
defineOperation({ ...texts, fields: [agent], request, callerIdField: 'agentId' });
// @ts-expect-error A call needs whoever calls.
defineOperation({ ...texts, fields: [agent, phoneNumber], request, callerIdField: 'campaignId' });
// @ts-expect-error Waiting needs Time Limit and Poll Interval, too.
defineOperation({ ...texts, fields: [agent, phoneNumber, waitBy], request, callerIdField: 'agentId', waits: true });
// @ts-expect-error So does waiting for a campaign.
defineOperation({ ...texts, fields: [campaign, waitByCampaignEnd], run, waitsFor: 'campaigns' });
// @ts-expect-error The key is none of the secrets that are hidden in outputs and errors.
secret('pass_word', { displayName: 'Password', name: 'password' });
// @ts-expect-error The service has no field with this name.
outputsOf('GET /agents', ['id', 'nmae']);
const name = text('name', property('name'));
const sameKey = text('name', property('otherName'));
// @ts-expect-error Two values with one key: the option would replace the field.
defineOperation({ ...texts, fields: [name], options: [sameKey], request });
// @ts-expect-error No error has this code.
defineOperation({ ...texts, request: () => ({ ...request(), codes: { 404: 'AGENT_NOT_FUOND' } }) });

const mode = local(choice('mode', { ...property('mode'), default: 'one', options: [{ name: 'One', value: 'one' }] }));
// @ts-expect-error The value of a local field is not among the values for the request.
defineOperation({ ...texts, fields: [mode], request: ({ mode }) => ({ ...request(), body: { mode } }) });
