import { sampleDocument } from '../../docs/agentDocument.mts';
import { byId, type Service } from '../service.mts';
import { flat } from './answers.mts';
import { answer, type Operations, type Provoker } from './provoke.mts';
import type { Section } from './table.mts';

export const nobody = '00000000-0000-4000-8000-000000000000';
export const unknownId = byId(nobody);

/** @param poor a provoker whose account has no credits */
export async function calls(provoker: Provoker, poor: Provoker, { place }: Operations): Promise<Section> {
	const { published, draft } = provoker.seed.agents;
	const end = (call: string, agent = published) => ({
		resource: 'call',
		operation: 'end',
		agent: byId(agent),
		call: byId(call),
	});
	const ended = async (service: Service) => {
		const { body } = await service.api('POST', `agents/${published}/call`, { to: '+12025550111' });
		await service.advance(3600);
		return end((body.data as { id: string }).id);
	};
	return {
		title: 'Calls',
		note: 'For a call whose outcome is not known see [outcome unknown](#outcome-unknown).',
		rows: [
			...(await provoker.rows([
				['The agent is not published', place({ agent: byId(draft) })],
				['The agent does not exist', place({ agent: unknownId })],
				[
					'The service finds the number wrong, although it looks right',
					place(),
					answer(400, {
						error: {
							code: 'INVALID_PHONE_NUMBER',
							message: 'The number cannot be called.',
							details: { field: 'to', value: '+12025550111' },
						},
					}),
				],
				[
					'The service has got no number',
					place(),
					answer(400, { error: { code: 'MISSING_PHONE_NUMBER', message: 'The to field is required.' } }),
				],
			])),
			await poor.node('The account has no credits', place({ testCall: 'never' })),
			...(await provoker.rows([
				['No trigger listens for the outcome of the call', place({ operation: 'placeAndWait', waitBy: 'event' })],
				['The call to end is over already', ended],
				['The call to end does not exist, or belongs to another agent', end(nobody)],
			])),
		],
	};
}

/** Agents, and what belongs to them. */
export async function agents(provoker: Provoker, { validate }: Operations): Promise<Section> {
	const { published, draft } = provoker.seed.agents;
	const on = (resource: string, operation: string, more: object = {}, agent = published) => ({
		resource,
		operation,
		agent: byId(agent),
		...more,
	});
	const incomplete = async (service: Service) => {
		const { outputs } = await service.run({ resource: 'agent', operation: 'create', name: 'Ada' });
		return on('agent', 'publish', {}, String(outputs[0]?.[0]?.json.id));
	};
	const inCall = async (service: Service) => {
		await service.api('POST', `agents/${published}/call`, { to: '+12025550111' });
		await service.api('POST', `agents/${published}/unpublish`);
		return on('agent', 'delete');
	};
	const flow = { initial_node_id: 'nowhere', nodes: [{ id: 'bye', type: 'end' }] };
	const ignoredNext = { initial_node_id: 'bye', nodes: [{ id: 'bye', type: 'end', next: 'bye' }] };
	const demo = { resource: 'voiceTemplate', operation: 'getDemo', voiceTemplate: byId(provoker.seed.voiceTemplate) };
	const deleteAgent = on('agent', 'delete');
	const action = {
		...{ name: 'book_appointment', type: 'webhook', description: 'Books', integration: null },
		...{ authorization_scheme: 'none', custom_headers: [], speak_on_send: null, speak_on_receive: null },
	};
	const applying = (more: object) =>
		on('agent', 'apply', {
			applyTo: 'existingAgent',
			dryRun: false,
			document: { ...sampleDocument(), conversation: {}, actions: {}, ...more },
		});
	return {
		title: 'Agents, their actions, trainings and voices',
		note: '',
		rows: await provoker.rows([
			['The agent does not exist, in an operation other than a call', validate({ agent: unknownId })],
			[
				'The token has no permission for this agent',
				on('agentTraining', 'getAll'),
				flat(403, 'UNAUTHORIZED', 'You do not have permission for this agent.'),
			],
			['The agent to publish is not complete', incomplete],
			['A number of the agent does not exist', on('agent', 'update', { updateFields: { phoneNumbers: [nobody] } })],
			['The agent to delete is published', deleteAgent],
			['The agent to delete is in a call', inCall],
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
				{
					...answer(200, {
						success: true,
						data: {
							id: published,
							description: 'Books visits',
							initial_message_delay: 1,
							interrupt_sensitivity: 'low',
						},
					}),
					explains: false,
				},
			],
			['The document cannot be applied to the agent', applying({ settings: { name: 'Norah' } })],
			[
				'An action of the agent does not have the node ID that the document gives it',
				applying({ actions: { book_appointment: action } }),
			],
			['The flow to save has mistakes', on('agentFlow', 'update', { flow }, draft)],
			[
				'The flow to check has only warnings, and Fail On is Warnings',
				{
					resource: 'agentFlow',
					operation: 'validate',
					flowSource: 'json',
					flow: ignoredNext,
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
