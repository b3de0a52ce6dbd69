import { sampleDocument } from '../../docs/agentDocument.mts';
import { byId } from '../service.mts';
import { flat } from './answers.mts';
import { answer, type Operations, type Provoker } from './provoke.mts';
import type { Section } from './table.mts';

export const nobody = '00000000-0000-4000-8000-000000000000';
export const unknownId = byId(nobody);

export async function calls(provoker: Provoker, { place }: Operations): Promise<Section> {
	const { published, draft } = provoker.seed.agents;
	const end = { resource: 'call', operation: 'end', agent: byId(published), call: unknownId };
	const details = { field: 'to', value: '+12025550111' };
	return {
		title: 'Calls',
		note: 'For a call whose outcome is not known see [outcome unknown](#outcome-unknown).',
		rows: await provoker.rows([
			['The agent is not published', place({ agent: byId(draft) })],
			['The agent does not exist', place({ agent: unknownId })],
			[
				'The service finds the number wrong, although it looks right',
				place(),
				answer(400, { error: { code: 'INVALID_PHONE_NUMBER', message: 'The number cannot be called.', details } }),
			],
			[
				'The service has got no number',
				place(),
				answer(400, { error: { code: 'MISSING_PHONE_NUMBER', message: 'The to field is required.' } }),
			],
			[
				'The account has no credits',
				place({ testCall: 'never' }),
				flat(402, 'INSUFFICIENT_CREDITS', 'The account lacks the credits for this call.'),
			],
			['No trigger listens for the outcome of the call', place({ operation: 'placeAndWait', waitBy: 'event' })],
			['The call to end is over already', end, flat(409, 'CALL_NOT_ACTIVE', 'The call is already over.')],
			['The call to end does not exist, or belongs to another agent', end],
		]),
	};
}

/** What Missing Variables finds before a call is sent. */
export async function notReady(provoker: Provoker, { place }: Operations): Promise<Section> {
	const { published: id } = provoker.seed.agents;
	const agent = { id, current_status: 'published', initial_message: 'Hello {{first_name}}!' };
	const { fault } = answer(200, { success: true, data: agent });
	return {
		title: 'Not ready',
		note: 'What Place and Queue Call find before they send a call. **Check Before Calling** gives its findings as `reasons`, each with a code.',
		rows: await provoker.rows([
			[
				'A [variable](../contributing/assumptions.md#variables) of the agent has no value',
				place({ options: {} }),
				{ fault: { ...fault!, match: { path: `/api/v1/agents/${id}` } } },
			],
			['The variables cannot be read', place({ options: {} }), answer(403, { message: 'Forbidden.' })],
		]),
	};
}

export async function agents(provoker: Provoker): Promise<Section> {
	const { published, draft } = provoker.seed.agents;
	const on = (resource: string, operation: string, more: object = {}, agent = published) => ({
		resource,
		operation,
		agent: byId(agent),
		...more,
	});
	const untold = { id: published, description: 'Books', initial_message_delay: 1, interrupt_sensitivity: 'low' };
	const bye = { id: 'bye', type: 'end' };
	const flow = { initial_node_id: 'nowhere', nodes: [bye] };
	const malformed = {
		initial_node_id: 'hi',
		nodes: [{ id: 'hi', type: 'say', content: 'Hi {name}', next: 'bye' }, bye],
	};
	const demo = { resource: 'voiceTemplate', operation: 'getDemo', voiceTemplate: byId(provoker.seed.voiceTemplate) };
	const deleteAgent = on('agent', 'delete');
	const action = {
		name: 'book_appointment',
		type: 'webhook',
		description: 'Books',
		integration: null,
		authorization_scheme: 'none',
		custom_headers: [],
		speak_on_send: null,
		speak_on_receive: null,
	};
	const applying = (more: object) =>
		on('agent', 'apply', {
			applyTo: 'existingAgent',
			dryRun: false,
			document: { ...sampleDocument(), conversation: {}, actions: {}, ...more },
		});
	return {
		title: 'Agents, their actions, trainings and voices',
		rows: await provoker.rows([
			[
				'The agent to publish is not complete',
				on('agent', 'publish', {}, draft),
				answer(422, { success: false, message: 'Not complete.', errors: { description: ['is missing.'] } }),
			],
			['A number of the agent does not exist', on('agent', 'update', { updateFields: { phoneNumbers: [nobody] } })],
			['The agent to delete is published', deleteAgent],
			[
				'The agent to delete is published, and the service says so by a code',
				deleteAgent,
				flat(409, 'AGENT_IS_PUBLISHED', 'The agent is published.'),
			],
			[
				'The agent to delete is in a call, and the service says so by a code',
				deleteAgent,
				flat(409, 'AGENT_HAS_ACTIVE_CALLS', 'The agent has active calls.'),
			],
			[
				'The service does not tell a present value, which it wants with every change',
				on('agent', 'update', { updateFields: { askIfHumanPresent: false } }),
				{ ...answer(200, { success: true, data: untold }), explains: false },
			],
			['The document cannot be applied to the agent', applying({ settings: { name: 'Norah' } })],
			[
				'An action of the agent does not have the node ID that the document gives it',
				applying({ actions: { book_appointment: action } }),
			],
			['The flow to save has mistakes', on('agentFlow', 'update', { flow }, draft)],
			[
				'The [flow to check](../contributing/assumptions.md#nodes-of-a-flow) has only warnings, and Fail On is Warnings',
				{
					resource: 'agentFlow',
					operation: 'validate',
					flowSource: 'json',
					flow: malformed,
					options: { failOn: 'warnings' },
				},
				{ sendsNothing: true },
			],
			['The agent whose flow is to be checked has none', on('agentFlow', 'validate', { flowSource: 'agent' })],
			['The action does not exist', on('agentAction', 'delete', { agentAction: unknownId })],
			['The training does not exist', on('agentTraining', 'delete', { agentTraining: unknownId })],
			['The voice to give an agent does not exist', on('agent', 'update', { updateFields: { voice: unknownId } })],
			['The voice template does not exist', { ...demo, voiceTemplate: unknownId }],
			['The demo of a voice could not be made', demo, answer(500, { error: 'The demo could not be generated.' })],
		]),
	};
}
