import { messageKey, sendMessageTo } from '../../../message.mts';
import { harness } from '../../harness.mts';
import { useService } from '../../service.mts';
import { type Published, publishTrigger } from '../../triggers.mts';

const service = useService();
let trigger: Published;
let key: Buffer;
beforeEach(async () => {
	key = await messageKey(service.token);
	trigger = await publishTrigger(service);
});

const message = async (
	content: object | string,
	{ to = trigger.url, ...how }: { to?: string; signedWith?: Buffer; signature?: string } = {},
) => await sendMessageTo(to, key, content, how);

describe('the message check', () => {
	const check = { command: 'check' };

	test('is accepted by the trigger that it was sent to, and by no other one with the same credential', async () => {
		const other = await publishTrigger(service);
		const { pathname } = new URL(other.url);
		const toOther = await message({ ...check, to: pathname.slice(pathname.indexOf('/', 1)) });
		expect(toOther).toMatchObject({ status: 401, proven: false });
		expect(await message(check, { to: other.url })).toMatchObject({ status: 200, proven: true });
	});

	test('from a sender without the credential gets the response to an unsigned delivery', async () => {
		const stranger = await messageKey('another token');
		const log = harness.logLines.length;
		const replies = await Promise.all([
			// The last two are signed with the secret of deliveries.
			...[stranger, Buffer.from(trigger.secret), Buffer.from(trigger.secret, 'hex')].map((signedWith) =>
				message(check, { signedWith }),
			),
			...['f'.repeat(64), 'short'].map((signature) => message(check, { signature })),
			...[Date.now() - 301_000, Date.now() + 400_000, 'now', null].map((at) => message({ ...check, at })),
			...['"check"', '[]'].map((text) => message(text)),
		]);
		expect(replies.map(({ status, text, proven }) => [status, text, proven])).toEqual(
			replies.map(() => [401, 'Unauthorized', false]),
		);
		expect(trigger.instance.executions).toEqual([]);
		const warnings = harness.logLines.slice(log).filter(({ level }) => level === 'warn');
		expect(warnings).toHaveLength(replies.length);
	});
});
