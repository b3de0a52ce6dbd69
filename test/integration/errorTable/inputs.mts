import { sampleDocument } from '../../docs/agentDocument.mts';
import { harness, type NodeSpec } from '../harness.mts';
import { byId } from '../service.mts';
import { asTool, type Case, type Operations, type Provoker } from './provoke.mts';
import type { Row, Section } from './table.mts';

/** Values that are refused before anything is sent, one of each kind. */
export async function inputs(provoker: Provoker, operations: Operations): Promise<Section> {
	const { place, queue, getAgents, createHook } = operations;
	const { seed } = provoker;
	const header = (name: string, value: string) => ({ options: { extraHeaders: { values: [{ name, value }] } } });
	const document = sampleDocument();
	const applyDocument = (given: unknown) => ({
		resource: 'agent',
		operation: 'apply',
		applyTo: 'existingAgent',
		agent: byId(seed.agents.published),
		document: JSON.stringify(given),
	});
	const cases: Case[] = [
		['An expression gives nothing', place({ phoneNumber: '={{ $json.phone }}' })],
		['The number has no country code', place({ phoneNumber: '030 1234567' })],
		['A number has lost its +', place({ phoneNumber: '4915112345678' })],
		['The field has two numbers', place({ phoneNumber: '+49 30 1234567/68' })],
		['The default country is none', place({ options: { defaultCountry: 'Congo' } })],
		['The default country can be two', place({ options: { defaultCountry: '380' } })],
		['The ID cannot be one', place({ agent: byId('..') })],
		['A value is not in the list', getAgents({ filters: { status: 'sleeping' } })],
		['Test Call is neither of its choices', place({ testCall: '={{ "perhaps" }}' })],
		['A number is too large', place({ options: { delay: 3601 } })],
		['A number is too small', place({ sending: { requestTimeout: 0 } })],
		['The limit of a list is not whole', getAgents({ limit: 1.5 })],
		['The document of an agent has an unknown name', applyDocument({ ...document, setting: {} })],
		['The document of an agent lacks a section', applyDocument({ ...document, voice: undefined })],
		['The document of an agent has another version', applyDocument({ ...document, schemaVersion: 2 })],
		['The document of an agent has a wrong value', applyDocument({ ...document, calling: { direction: 'both' } })],
		['The document of an agent is no object', applyDocument([])],
		['A text is too long', createHook({ name: 'n'.repeat(256) })],
		['The webhook URL is no address', createHook({ webhookUrl: 'example.com/hook' })],
		['An expression gives no event', createHook({ events: '={{ [] }}' })],
		['The name of a header cannot be one', createHook(header('X One', '1'))],
		[
			'The value of a header is more than one line (it is never shown: it may be a key)',
			createHook(header('X-One', 'one\ntwo')),
		],
		['The signing secret is too long (it is never shown)', createHook({ options: { signingSecret: 's'.repeat(256) } })],
	];
	const rule = { resource: 'availability', operation: 'createRule', calendar: byId(seed.calendar) };
	const event = (start: string, end: string, more: object = {}) => ({
		resource: 'calendarEvent',
		operation: 'create',
		calendar: byId(seed.calendar),
		title: 'Visit',
		start,
		end,
		...more,
	});
	const campaign = (more: object) => ({
		resource: 'campaign',
		operation: 'create',
		name: 'Spring',
		agent: byId(seed.agents.published),
		startDate: '2027-03-01',
		timezone: 'UTC',
		...more,
	});
	const update = (updateFields: NodeSpec['parameters']) => ({
		resource: 'calendar',
		operation: 'update',
		calendar: byId(seed.calendar),
		updateFields,
	});
	const sftp = (host: string, more: object = { authType: 'password', password: 'the password of the table' }) => ({
		resource: 'campaignSftp',
		operation: 'create',
		campaign: byId(seed.campaigns.active),
		host,
		username: 'ada',
		...more,
	});
	const request = (path: string) => ({ resource: 'service', operation: 'makeApiRequest', path });
	const noon = '2027-03-01T12:00';
	const kinds: Case[] = [
		['Something ends before it begins', event(noon, '2027-03-01T11:00')],
		['A campaign ends before it begins', campaign({ options: { endDate: '2027-02-01' } })],
		['A time zone is an offset or a nickname', campaign({ timezone: '+02:00' })],
		[
			'An email address where the ID of a user is wanted',
			{ resource: 'calendarMember', operation: 'add', calendar: byId(seed.calendar), userId: 'ada@example.com' },
		],
		['One of two values that go together', event('2027-03-01T11:00', noon, { options: { ownerId: seed.user } })],
		['An address where the name of a host is wanted', sftp('sftp://example.com')],
		[
			'A private key without its line breaks (it is never shown)',
			sftp('sftp.example.com', { authType: 'private_key', privateKey: 'all on one line' }),
		],
		[
			'A country in words',
			{
				resource: 'sipTrunk',
				operation: 'addNumber',
				sipTrunk: byId(seed.sipTrunk),
				carrierNumber: '+12025550111',
				countryCode: 'Germany',
			},
		],
		['Nothing was added to Update Fields', update({})],
		[
			'What was added belongs to another kind: the date of an exception, for a recurring rule',
			{
				...rule,
				operation: 'updateRule',
				availabilityRule: byId(seed.availabilityRule),
				ruleType: 'recurring',
				updateFields: { date: '2027-03-01' },
			},
		],
		['A value in Update Fields is empty and cannot be taken away', update({ name: '' })],
		['The path of a request is a whole address', request('https://api.example.com/api/v1/agents')],
		['The path of a request has a question mark', request('agents?status=draft')],
		['The path of a request has a part that is empty or leads elsewhere', request('agents//calls')],
	];
	const fill = 'Open the node and fill the field in. n8n checks this before it starts the node.';
	const unready = await Promise.all([
		provoker.unready('A required field is empty', place({ phoneNumber: '' }), fill),
		provoker.unready('No campaign is chosen', queue({ campaign: byId('') }), fill, { explains: false }),
		provoker.unready(
			'No credential is chosen',
			place(),
			'Open the node and choose a credential. n8n checks this before it starts the node.',
			{ hasCredential: false },
		),
	]);
	const refused = [...cases, ...kinds].map(([what, parameters]): Case => [what, parameters, { sendsNothing: true }]);
	const rows: Row[] = [...unready, ...(await provoker.rows(refused))];
	return {
		title: 'Values of a node',
		note: 'Checked before anything is sent: with *On Error* at *Stop Workflow*, one wrong value in one item means that no request goes out.',
		rows,
	};
}

/** The messages of a run whose credential cannot be used. */
export async function credentialValues(provoker: Provoker, { getCampaign }: Operations): Promise<Section> {
	const at = (baseUrl: string) => ({ credential: { baseUrl } });
	return {
		title: 'Values of the credential',
		rows: await provoker.rows([
			['The Base URL is no address', getCampaign(), at('api.example.com')],
			['The Base URL is plain http on another machine', getCampaign(), at('http://api.example.com')],
			['The Base URL has more than an address', getCampaign(), at('https://user:secret@api.example.com')],
		]),
	};
}

/** The messages for a model that uses the node as a tool. */
export async function toolRefusals(provoker: Provoker, operations: Operations): Promise<Section> {
	const { place, setStatus, deleteHook, updateEvent } = operations;
	const given = { node: asTool, package: await harness.packageWithTool() };
	const cancels = { ...given, items: [{ status: 'cancelled' }] };
	return {
		title: 'As a tool of an AI agent',
		note: 'The model is told both texts in one.',
		rows: await provoker.rows([
			['The model wants to delete something', deleteHook(), given],
			['The model wants to end a campaign', setStatus({ status: 'cancelled' }), given],
			['The number is not among those that you allow', place({ allowedPrefixes: '+49, +4420' }), given],
			['The prefixes that you allow are none', place({ allowedPrefixes: '49' }), given],
			['A model gives a value that only a person may set', updateEvent({ status: '={{ $json.status }}' }), cancels],
			['A limit comes from an expression', place({ maxCalls: "={{ $fromAI('calls') }}" }), given],
		]),
	};
}
