import { anywhere, dataIn, type Fields, isObject, word } from '../read.mts';
import type { Arrival } from '../receiver.mts';
import type { Session } from '../session.mts';
import { caller, OPEN_CAMPAIGN } from './own.mts';

/** With which the deliveries of one's own webhooks are signed. */
export const SECRET = 'contract-check-signing-secret';
/** The kind of event that tells most of a call. */
export const KIND = 'campaign_call.completed';

/** What a delivery says, of several events the last. */
export function jsonOf({ json }: Arrival): Fields {
	const list = Array.isArray(json) ? json : isObject(json) && Array.isArray(json.events) ? json.events : [json];
	const last: unknown = list.at(-1);
	return isObject(last) ? last : {};
}
export const kindOf = (delivery: Arrival) =>
	word(anywhere(jsonOf(delivery), 'event', 'type', 'event_type') ?? delivery.headers['x-webhook-event']).replaceAll(
		'-',
		'_',
	);
/** What a campaign of one's own tells while its test call is placed. It rings. */
export const course = (s: Session) =>
	s.once('course', async () => {
		const { id } = await s.made('campaign', OPEN_CAMPAIGN(s, (await caller(s)).id));
		const path = `/campaigns/${id}`;
		const kinds = rowsLike((await s.must('GET', `${path}/webhooks`)).body);
		const body = { name: 'Contract course', webhook_url: s.deliveries.url('course'), webhook_secret: SECRET };
		await s.must('POST', `${path}/webhooks`, { ...body, events: kinds, include_call_events: true });
		const move = async (status: string) => await s.must('PATCH', `${path}/status`, { status });
		await move('active');
		const queued = await s.must('POST', `${path}/call`, {
			to: s.number,
			is_testing: true,
			context: { contract: 'check' },
		});
		const events = () => s.deliveries.of('course').map(kindOf);
		const isOver = () => events().some((event) => /^campaign_call\.(completed|failed)$/.test(event));
		const over = (await s.until(async () => isOver() || undefined)) ?? false;
		await move('paused');
		await move('active');
		await move('cancelled');
		await s.until(async () => (events().includes('campaign.paused') ? true : undefined));
		// What was sent at the same moment is on its way.
		await s.client.wait(s.client.pace.lookMs * 5);
		return {
			over,
			queued: (anywhere(queued.body, 'campaign_call') as Fields | undefined)?.status ?? dataIn(queued.body).status,
			deliveries: s.deliveries.of('course'),
			events: events(),
		};
	});

function rowsLike(body: unknown): string[] {
	const { available_events: kinds } = dataIn(body);
	return Array.isArray(kinds) ? kinds.map(String) : isObject(kinds) ? Object.keys(kinds) : [];
}
