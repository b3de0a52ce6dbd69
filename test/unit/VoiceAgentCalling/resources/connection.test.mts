import type { Reply } from '../../../../nodes/shared/nodeLink/messages.ts';
import { noReply } from '../../../../nodes/shared/nodeLink/noReply.ts';
import { create } from '../../../../nodes/VoiceAgentCalling/resources/campaign/create.ts';
import { changeConnection } from '../../../../nodes/VoiceAgentCalling/resources/webhook/connection.ts';
import type { Api } from '../../../../nodes/VoiceAgentCalling/sending/api.ts';

const url = 'https://n8n.example/webhook/0c9a4f7e-52d1-4b63-8e0a-7f3b1d6c2e95/webhook';
const owner = { source: 'campaign', ownerId: 'c-1' } as const;
const apiWith = (reply: Reply | undefined) =>
	({
		isOwnAddress: async () => true,
		message: async () => (reply === undefined ? { error: noReply({ code: 'ECONNABORTED' }) } : { value: reply }),
		request: async () => ({ data: { id: 'c-1', name: 'New' } }),
	}) as unknown as Api;

/** What the trigger may have done although no response of it has arrived. */
const silences: Array<[string, Reply | undefined, string]> = [
	['no response comes in time', undefined, 'no answer came in time'],
	[
		'a proxy gives up waiting',
		{ status: 504, body: '', proven: false },
		'something before it answered with HTTP status 504',
	],
	[
		'a proxy loses the connection',
		{ status: 502, body: '', proven: false },
		'something before it answered with HTTP status 502',
	],
];

test.each(silences)(
	'It is unknown if a campaign is connected where %s: the trigger may have done it',
	async (_, reply, why) => {
		await expect(changeConnection(apiWith(reply), url, 'connect', owner)).rejects.toMatchObject({
			code: 'NO_ANSWER',
			accepted: 'unknown',
			message: `It is unknown if the campaign was connected. n8n does not answer at the URL of the trigger: ${why}`,
		});
		const created = await create.run(apiWith(reply), {}, { triggerUrl: url } as never);
		expect(created).toMatchObject({ id: 'c-1', connected: null, connectCode: 'NO_ANSWER' });
	},
);

test('A campaign is known not to be connected where n8n has no such trigger', async () => {
	const none = { status: 404, body: { message: 'not registered' }, proven: false };
	await expect(changeConnection(apiWith(none), url, 'disconnect', owner)).rejects.toMatchObject({
		code: 'NOT_PUBLISHED',
		accepted: 'no',
		message: expect.stringMatching(/^The campaign was not disconnected\. /),
	});
});
