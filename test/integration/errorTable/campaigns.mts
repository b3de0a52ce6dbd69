import { startReceiver } from '../receiver.mts';
import { byId, type Service } from '../service.mts';
import { onAgent, type Published, publishTrigger } from '../triggers.mts';
import { nobody, unknownId } from './agents.mts';
import { flat } from './answers.mts';
import { answer, type Operations, operationsOf, type Provoker } from './provoke.mts';
import type { Section } from './table.mts';

export async function campaigns(provoker: Provoker, { queue, setStatus }: Operations): Promise<Section> {
	const { active, paused, completed } = provoker.seed.campaigns;
	const on = operationsOf({ resource: 'campaign', campaign: byId(active) });
	const agent = byId(provoker.seed.agents.published);
	const timezone = 'Europe/Berlin';
	return {
		title: 'Campaigns',
		rows: await provoker.rows([
			['The campaign does not exist', queue({ campaign: unknownId })],
			['A call is to be queued, and the campaign is not active', queue({ campaign: byId(paused) })],
			[
				'The number has an active or queued call already, and If Already Queued is Fail',
				queue({ options: { ifAlreadyQueued: 'fail', missingVariables: 'ignore' } }),
				flat(409, 'DUPLICATE_CALL', 'A call to this number is already active or queued in the campaign.'),
			],
			[
				'The campaign is over and cannot come to this status',
				setStatus({ campaign: byId(completed), status: 'active' }),
			],
			[
				'The agent of a campaign takes calls only',
				async (service) => {
					const { body } = await service.api('GET', 'agents?search=Iris');
					const [{ id }] = body.data as [{ id: string }];
					return {
						resource: 'campaign',
						operation: 'update',
						campaign: byId(paused),
						updateFields: { agent: byId(id) },
					};
				},
			],
			[
				'The plan allows no more campaigns',
				on('create', { name: 'Spring', agent, startDate: '2027-03-01', timezone }),
				flat(403, 'CAMPAIGN_LIMIT_REACHED', 'The plan does not allow more campaigns.'),
			],
			[
				'The schedule cannot change while calls are queued',
				on('update', { updateFields: { timezone } }),
				flat(409, 'CAMPAIGN_HAS_ACTIVE_CALLS', 'The schedule cannot change while calls are queued.'),
			],
			['The campaign to delete is active', on('delete')],
		]),
	};
}

export async function sftp(provoker: Provoker): Promise<Section> {
	const on = operationsOf({ resource: 'campaignSftp', campaign: byId(provoker.seed.campaigns.active) });
	const login = { host: 'sftp.example.com', username: 'ada', authType: 'password', password: 'the password' };
	return {
		title: 'Contacts over SFTP',
		note: 'A test of the connection that fails is none of these: it is a result, `success: false` with the reason.',
		rows: await provoker.rows([
			['The campaign has no SFTP configuration', on('get')],
			['The campaign has one already', on('create', login), flat(409, 'CONFLICT', 'It has one already.')],
			[
				'It was to be enabled without a successful test',
				on('update', { updateFields: { enabled: true } }),
				flat(422, 'SFTP_TEST_REQUIRED', 'A successful test of the connection is needed before it can be enabled.'),
			],
			[
				'Files were to be fetched or written while it is disabled',
				on('triggerImport'),
				flat(422, 'VALIDATION_ERROR', 'The SFTP configuration is disabled.'),
			],
			[
				'An import is running',
				on('triggerImport'),
				flat(409, 'SFTP_IMPORT_IN_PROGRESS', 'An SFTP import is already in progress.'),
			],
			[
				'An export is running',
				on('triggerExport', { campaignFiles: [nobody] }),
				flat(409, 'SFTP_EXPORT_IN_PROGRESS', 'An SFTP export is already in progress.'),
			],
		]),
	};
}

/** Errors of the webhooks of agents and campaigns, which are the same. */
export async function webhooks(provoker: Provoker): Promise<Section> {
	const { active, paused } = provoker.seed.campaigns;
	const path = `campaigns/${active}/webhooks`;
	const on = operationsOf({ resource: 'webhook', campaign: byId(active) });
	const rotated = async (service: Service, webhook_url: string) => {
		const { body } = await service.api('POST', path, { name: 'Hook', webhook_url, events: ['campaign.paused'] });
		return on('rotateSecret', { webhook: byId((body.data as { id: string }).id) });
	};
	/** Rotates the secret of a webhook at an address that is derived from the one of a published trigger. */
	const rotate =
		(addressOf: (url: string) => string, before?: (published: Published) => Promise<unknown>) =>
		async (service: Service) => {
			const published = await publishTrigger(service);
			service.n8nUrl = published.instance.url;
			await before?.(published);
			return await rotated(service, addressOf(published.url));
		};
	const same = (url: string) => url;
	/** What answers at the address has no valid signature. */
	const answeredBy = (status: number, answer: string | object) => async (service: Service) => {
		service.n8nUrl = await startReceiver({ status, body: answer });
		return await rotated(service, `${service.n8nUrl}/webhook/3f2b8c1e-5a7d-4e9b-8c6f-2d1a0b9e8f7c/webhook`);
	};
	const connectTo = async (service: Service) => {
		const { instance, deployment } = await publishTrigger(service, onAgent(service));
		service.n8nUrl = instance.url;
		const trigger = { __rl: true, mode: 'url', value: deployment.webhookUrl() };
		return { ...on('connectToTrigger'), campaign: byId(paused), trigger };
	};
	return {
		title: 'Webhooks and deliveries',
		note: 'The same for the webhooks of agents.',
		rows: await provoker.rows([
			[
				'The delivery cannot be sent again: the webhook is disabled, or the delivery arrived or is too old',
				on('redeliver', { webhook: unknownId, delivery: unknownId }),
				flat(422, 'LOG_NOT_RETRIABLE', 'The webhook is disabled.'),
			],
			[
				'The delivery to send again does not exist',
				on('redeliver', { webhook: unknownId, delivery: unknownId }),
				answer(404, { success: false, message: 'No such delivery.' }),
			],
			[
				'The secret of a webhook that delivers to another machine was to be rotated',
				rotate(() => 'https://n8n.example.com/webhook/3f2b8c1e-5a7d-4e9b-8c6f-2d1a0b9e8f7c/webhook'),
			],
			['… that delivers to another workflow of this n8n', rotate((url) => `${new URL(url).origin}/webhook/orders`)],
			['… that delivers to a test URL', rotate((url) => url.replace('/webhook/', '/webhook-test/'))],
			['… whose workflow is not published', rotate(same, async ({ deployment }) => await deployment.unpublish())],
			['… whose address nobody answers at', rotate(same, async ({ instance }) => await instance.close())],
			[
				'… for which n8n has no node: a process of n8n lacks the package, for example',
				answeredBy(400, { code: 0, message: 'Unrecognized node type: voiceAgentCallingTrigger' }),
			],
			['… of a trigger with another credential', answeredBy(401, 'Unauthorized')],
			[
				'… that delivers to the trigger of another campaign',
				rotate((url) => url.replace(/campaign=[^&]+/, `campaign=${paused}`)),
			],
			[
				'… that delivers to another address than that of its trigger: n8n has moved, or a copy of n8n is there',
				rotate((url) => url.replace(new URL(url).origin, 'https://n8n.example.com')),
			],
			['A campaign was to be connected to a trigger of agents', connectTo],
		]),
	};
}
