import { startReceiver } from '../receiver.mts';
import { byId, type Service } from '../service.mts';
import { onAgent, type Published, publishTrigger } from '../triggers.mts';
import { nobody, unknownId } from './agents.mts';
import type { Operations, Provoker } from './provoke.mts';
import type { Section } from './table.mts';

/** @param poor a provoker whose plan allows no further campaign */
export async function campaigns(
	provoker: Provoker,
	poor: Provoker,
	{ queue, setStatus }: Operations,
): Promise<Section> {
	const { active, draft, paused, completed } = provoker.seed.campaigns;
	const on = (operation: string, id: string, more: object = {}) => ({
		resource: 'campaign',
		operation,
		campaign: byId(id),
		...more,
	});
	const create = {
		resource: 'campaign',
		operation: 'create',
		name: 'Spring',
		agent: byId(nobody),
		startDate: '2027-03-01',
		timezone: 'Europe/Berlin',
	};
	const queued = async (service: Service) =>
		void (await service.api('POST', `campaigns/${active}/call`, { to: '+12025550111' }));
	const duplicate = async (service: Service) => {
		await queued(service);
		return queue({ options: { ifAlreadyQueued: 'fail' } });
	};
	const rescheduled = async (service: Service) => {
		await queued(service);
		return on('update', active, { updateFields: { timezone: 'Europe/Berlin' } });
	};
	const inCall = async (service: Service) => {
		await queued(service);
		await service.advance(2);
		await service.api('PATCH', `campaigns/${active}/status`, { status: 'paused' });
		return on('delete', active);
	};
	return {
		title: 'Campaigns',
		note: '',
		rows: [
			...(await provoker.rows([
				['The campaign does not exist', queue({ campaign: unknownId })],
				['A call is to be queued, and the campaign is not active', queue({ campaign: byId(paused) })],
				['The number has an active or queued call already, and If Already Queued is Fail', duplicate],
				[
					'The campaign is over and cannot come to this status',
					setStatus({ campaign: byId(completed), status: 'active' }),
				],
				[
					'The campaign cannot come from its status to this one',
					setStatus({ campaign: byId(draft), status: 'completed' }),
				],
				['The agent of a new campaign does not exist', create],
			])),
			await poor.node('The plan allows no more campaigns', { ...create, agent: byId(provoker.seed.agents.published) }),
			...(await provoker.rows([
				['The schedule cannot change while calls are queued', rescheduled],
				['The campaign to delete is active', on('delete', active)],
				['The campaign to delete has calls in progress', inCall],
			])),
		],
	};
}

/** The import of contacts and the export of results. */
export async function sftp(provoker: Provoker): Promise<Section> {
	const { active } = provoker.seed.campaigns;
	const path = `campaigns/${active}/sftp`;
	const login = { host: 'sftp.example.com', username: 'ada' };
	const on = (operation: string, more: object = {}) => ({
		resource: 'campaignSftp',
		operation,
		campaign: byId(active),
		...more,
	});
	/** Sends these requests, then gives the parameters of the operation. */
	const after =
		(requests: Array<[method: string, path: string, body?: object]>, parameters: object) =>
		async (service: Service) => {
			for (const [method, more, body] of requests) {
				await service.api(method, `${path}${more}`, body);
			}
			return parameters as ReturnType<typeof on>;
		};
	const created: [string, string, object] = [
		'POST',
		'',
		{ ...login, auth_type: 'password', password: 'the password of the table' },
	];
	const enabled: Parameters<typeof after>[0] = [
		created,
		['POST', '/test-connection'],
		['PUT', '', { is_enabled: true }],
	];
	const importing: Parameters<typeof after>[0] = [...enabled, ['POST', '/trigger-import']];
	const exporting = async (service: Service) => {
		await after(importing, {})(service);
		await service.advance(60);
		const { body } = await service.api('GET', `campaigns/${active}`);
		const files = (body.data as { files: Array<{ id: string }> }).files.map(({ id }) => id);
		await service.api('POST', `${path}/trigger-export`, { file_data_ids: files });
		return on('triggerExport', { campaignFiles: files });
	};
	return {
		title: 'Contacts over SFTP',
		note: 'A test of the connection that fails is none of these: it is a result, `success: false` with the reason.',
		rows: await provoker.rows([
			['The campaign has no SFTP configuration', on('get')],
			[
				'The campaign has one already',
				after([created], on('create', { ...login, authType: 'password', password: 'another' })),
			],
			[
				'It was to be enabled without a successful test',
				after([created], on('update', { updateFields: { enabled: true } })),
			],
			['Files were to be fetched or written while it is disabled', after([created], on('triggerImport'))],
			['An import is running', after(importing, on('triggerImport'))],
			['An export is running', exporting],
			[
				'A file to write the results of does not exist',
				after(enabled, on('triggerExport', { campaignFiles: [nobody] })),
			],
		]),
	};
}

/** Errors of the webhooks of agents and campaigns, which are the same. */
export async function webhooks(provoker: Provoker): Promise<Section> {
	const { active, paused } = provoker.seed.campaigns;
	const path = `campaigns/${active}/webhooks`;
	const on = (operation: string, more: object = {}) => ({
		resource: 'webhook',
		operation,
		campaign: byId(active),
		...more,
	});
	const created = async (service: Service) => {
		const hook = { name: 'Hook', webhook_url: 'http://127.0.0.1:1', events: ['campaign.paused'], max_retries: 0 };
		return ((await service.api('POST', path, hook)).body.data as { id: string }).id;
	};
	const disabled = async (service: Service) => {
		const webhookId = await created(service);
		await service.deliver({ webhookId, event: 'campaign.paused' });
		await service.api('PUT', `${path}/${webhookId}`, { enabled: false });
		const { body } = await service.api('GET', `${path}/${webhookId}/logs`);
		const [{ id }] = body.data as [{ id: string }];
		return on('redeliver', { webhook: byId(webhookId), delivery: byId(id) });
	};
	/** Rotates the secret of a webhook at an address that is derived from the one of a published trigger. */
	const rotate =
		(addressOf: (url: string) => string, before?: (published: Published) => Promise<unknown>) =>
		async (service: Service) => {
			const published = await publishTrigger(service);
			service.n8nUrl = published.instance.url;
			await before?.(published);
			const hook = { name: 'Hook', webhook_url: addressOf(published.url), events: ['campaign.paused'] };
			const { body } = await service.api('POST', path, hook);
			return on('rotateSecret', { webhook: byId((body.data as { id: string }).id) });
		};
	const refused = async (service: Service) => {
		const published = await publishTrigger(service);
		service.n8nUrl = published.instance.url;
		await service.fault({
			match: { method: 'PUT' },
			kind: 'status',
			status: 403,
			body: { success: false, message: 'This action is not allowed.' },
		});
		return on('rotateSecret', { webhook: byId(published.webhookId) });
	};
	/** What answers at the address has no valid signature. */
	const answeredBy = (status: number, answer: string | object) => async (service: Service) => {
		service.n8nUrl = await startReceiver({ status, body: answer });
		const url = `${service.n8nUrl}/webhook/3f2b8c1e-5a7d-4e9b-8c6f-2d1a0b9e8f7c/webhook`;
		const { body } = await service.api('POST', path, { name: 'Hook', webhook_url: url, events: ['campaign.paused'] });
		return on('rotateSecret', { webhook: byId((body.data as { id: string }).id) });
	};
	const connectTo = async (service: Service) => {
		const { instance, deployment } = await publishTrigger(service, onAgent(service));
		service.n8nUrl = instance.url;
		const trigger = { __rl: true, mode: 'url', value: deployment.webhookUrl() };
		return { ...on('connectToTrigger'), campaign: byId(paused), trigger };
	};
	const unknownDelivery = async (service: Service) =>
		on('redeliver', { webhook: byId(await created(service)), delivery: unknownId });
	return {
		title: 'Webhooks and deliveries',
		note: 'The same for the webhooks of agents.',
		rows: await provoker.rows([
			['The webhook does not exist', on('get', { webhook: unknownId })],
			['The delivery cannot be sent again: the webhook is disabled, or the delivery arrived or is too old', disabled],
			['The delivery to send again does not exist', unknownDelivery],
			[
				'The secret of a webhook that delivers to another machine was to be rotated',
				rotate(() => 'https://n8n.example.com/webhook/3f2b8c1e-5a7d-4e9b-8c6f-2d1a0b9e8f7c/webhook'),
			],
			['… that delivers to another workflow of this n8n', rotate((url) => `${new URL(url).origin}/webhook/orders`)],
			['… that delivers to a test URL', rotate((url) => url.replace('/webhook/', '/webhook-test/'))],
			[
				'… whose workflow is not published',
				rotate(
					(url) => url,
					async ({ deployment }) => await deployment.unpublish(),
				),
			],
			[
				'… whose address nobody answers at',
				rotate(
					(url) => url,
					async ({ instance }) => await instance.close(),
				),
			],
			['… that a proxy or a firewall before n8n does not let pass', answeredBy(403, '<html>Forbidden</html>')],
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
			['… and the service refuses', refused],
			['A campaign was to be connected to a trigger of agents', connectTo],
		]),
	};
}
