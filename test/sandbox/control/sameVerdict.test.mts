import { verifySignature } from '../../../nodes/shared/deliveries/signature.ts';
import { asList, asText, type Json } from '../client.mts';
import { webhookOn } from '../objects.mts';
import { skipRealTime } from '../realTime.mts';
import { useReceiver, useService } from '../use.mts';

const SECRET = 'a-secret-of-some-length';
const REASONS = { signature: 'wrong signature', timestamp: 'outside the time window' };

/** What the trigger's own check says about a delivery, so many milliseconds after now. */
function triggerSays({ headers, body }: { headers: Record<string, string>; body: string }, laterMs: number): string {
	const named = Object.fromEntries(Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value]));
	const given = { rawBody: Buffer.from(body), headers: named, now: Date.now() + laterMs };
	const check = verifySignature(given, [{ secret: SECRET }]);
	return check.authentic ? 'authentic' : check.reason;
}

describe.each(['hex', 'sha256=hex', 'base64', 't,v1'] as const)('with signatures as %s', (signatureFormat) => {
	const service = useService({ signatureFormat });
	const receiver = useReceiver();

	it.each([
		['genuine', {}, 0],
		['tampered', { tamper: 'body' }, 0],
		['tampered', { tamper: 'signature' }, 0],
		['tampered', { tamper: 'secret' }, 0],
		['old', {}, 290_000],
		['too old', {}, 300_400],
		['tampered and too old', { tamper: 'body' }, 400_000],
		['from the future', {}, -290_000],
		['from a far future', {}, -310_000],
	])('the sandbox judges a delivery as the trigger does: %s %j after %i ms', async (_what, more, laterMs) => {
		const webhookId = await webhookOn(service, service.seed.campaigns.active, receiver.url, { webhook_secret: SECRET });
		await service.control('deliver', { webhookId, event: 'campaign_call.completed', ...more });
		const [made] = asList((await service.control('deliveries?limit=1')).items) as [Json];
		const path = `deliveries/${asText(made.id)}`;
		const { request } = await service.control(path);
		skipRealTime(laterMs);
		const expected = triggerSays(request as unknown as { headers: Record<string, string>; body: string }, laterMs);
		const { accepted, failed } = await service.control(`${path}/verify`);
		expect(accepted).toBe(expected === 'authentic');
		// For one that is both tampered with and too old, the trigger looks at the time first.
		if (expected !== 'authentic' && !('tamper' in more && laterMs > 300_000)) {
			expect(REASONS[failed as unknown as keyof typeof REASONS]).toBe(expected);
		}
	});
});
