import type { ApiResponse, Json, SandboxClient } from './client.mts';

type Seed = SandboxClient['seed'];

/** A value, or a function that makes one from the seed. */
type Value = unknown | ((seed: Seed) => unknown);

/** The values that a field of a body accepts, including its limits, and those that it rejects. */
export interface FieldRule {
	takes: Value[];
	refuses: Value[];
	required?: true;
}

export function required(rule: FieldRule): FieldRule {
	return { ...rule, required: true };
}

/** The field also accepts null. */
export function orNull({ takes, refuses }: FieldRule): FieldRule {
	return { takes: [...takes, null], refuses: refuses.filter((value) => value !== null) };
}

export function textOf(min: number, max = Infinity): FieldRule {
	const takes = [min, Math.min(max, 3000)].map((length) => 'x'.repeat(length));
	const wrong = [...(min > 0 ? [min - 1] : []), ...(max < Infinity ? [max + 1] : [])];
	return { takes, refuses: [7, ['x'], null, ...wrong.map((length) => 'x'.repeat(length))] };
}

export function numberOf(min: number, max: number): FieldRule {
	return { takes: [min, (min + max) / 2, max], refuses: [min - 0.01, max + 0.01, String(min), null] };
}

export function wholeOf(min: number, max = Infinity): FieldRule {
	const above = max < Infinity ? [max + 1] : [];
	return { takes: [min, Math.min(max, 100_000)], refuses: [min - 1, ...above, min + 0.5, String(min), null] };
}

export function oneOf(...values: string[]): FieldRule {
	return { takes: values, refuses: ['other', values[0]!.toUpperCase() + ' ', '', 1, null] };
}

export const flagRule: FieldRule = { takes: [true, false], refuses: ['true', 1, null] };
export const objectRule: FieldRule = { takes: [{}, { any: ['thing'] }], refuses: [[], 'x', 1, null] };
export const uuidRule: FieldRule = { takes: ['0191f2a0-5c5e-7b1a-9d3e-2f4b6a8c0d1e'], refuses: ['x', '', 1, null] };
export const timezoneRule: FieldRule = {
	takes: ['UTC', 'America/Sao_Paulo'],
	refuses: ['Mars/Base', '+02:00', '', 1, null],
};
export const weekdaysRule: FieldRule = {
	takes: [[1], [7], [1, 2, 3, 4, 5, 6, 7]],
	refuses: [[], [0], [8], [1.5], ['1'], 1, null],
};
export const dayRule: FieldRule = {
	takes: ['2020-02-29', '2099-12-31'],
	refuses: ['2021-02-29', '2020-13-01', '2020-1-1', '01/02/2020', '', 20_200_101, null],
};
export const hostRule: FieldRule = {
	takes: ['sip.example.com', 'localhost', '192.0.2.1', '2001:db8::1'],
	refuses: ['https://sip.example.com', 'sip.example.com:5060', 'sip.example.com/x', 'a b', '', 7, null],
};
export const urlRule: FieldRule = {
	takes: ['http://127.0.0.1:5678/hook', `https://example.com/${'x'.repeat(480)}`],
	refuses: ['ftp://example.com', '/hook', 'example.com', 'http://', '', 7, null],
};
export const phoneNumberRule: FieldRule = {
	takes: ['+1202555', '+120255501001234'],
	refuses: ['12025550100', '+120255', '+1202555010012345', '+02025550100', '+1 202 555 0100', '', 12_025_550_100],
};
export const headersRule: FieldRule = {
	takes: [
		[],
		[
			{ key: 'X-Team', value: 'sales' },
			{ key: 'x-empty', value: '' },
		],
	],
	refuses: [
		{ key: 'X-Team', value: 'a' },
		[{ key: 'X Team', value: 'a' }],
		[{ key: 'X-Team' }],
		[{ value: 'a' }],
		['X'],
		null,
	],
};

/** A valid body, and where to send it. */
export interface BodyTarget {
	service: SandboxClient;
	body(): Record<string, unknown>;
	send(body: object): Promise<ApiResponse>;
	/** True for an update: no field is required. */
	partial?: boolean;
}

/** One test per field: all values that it accepts and rejects, and whether it is required. */
export function testFields(target: () => BodyTarget, rules: Record<string, FieldRule>): void {
	it.each(Object.entries(rules))('%s', async (field, rule) => {
		const { service, body, send, partial } = target();
		const resolved = (value: Value) => (typeof value === 'function' ? (value(service.seed) as unknown) : value);
		for (const value of rule.takes.map(resolved)) {
			const { status, data } = await send({ ...body(), [field]: value });
			expect({ value, taken: status < 300, data }).toEqual({ value, taken: true, data });
		}
		for (const value of rule.refuses.map(resolved)) {
			const { status, data } = await send({ ...body(), [field]: value });
			expect({ value, status, fields: wrongFields(data) }).toEqual({ value, status: 422, fields: [field] });
		}
		const { [field]: _left, ...rest } = body();
		const { status, data } = await send(rest);
		if (rule.required && !partial) {
			expect([status, wrongFields(data)]).toEqual([422, [field]]);
		} else {
			expect(status).toBeLessThan(300);
		}
	});
}

/** The top-level fields that a 422 names. */
function wrongFields({ errors, error }: Json): string[] {
	const named = Object.keys(errors ?? error?.details?.errors ?? {});
	return [...new Set(named.map((name) => name.split('.', 1)[0]!))];
}

/** The fields that webhooks of agents and campaigns share. @param other a kind that these webhooks cannot have */
export function webhookRules(kinds: readonly string[], other: string): Record<string, FieldRule> {
	const template = { id: '{{call.id}}' };
	return {
		name: required(textOf(1, 255)),
		webhook_url: required({ ...urlRule, refuses: [...urlRule.refuses, `https://example.com/${'x'.repeat(481)}`] }),
		events: required({
			takes: [kinds, ...kinds.map((kind) => [kind])],
			refuses: [[], [other], ['any'], [1], kinds[0], null],
		}),
		enabled: flagRule,
		webhook_secret: orNull(textOf(1, 255)),
		timeout: wholeOf(5, 120),
		max_retries: wholeOf(0, 10),
		http_method: oneOf('POST', 'PUT', 'PATCH'),
		authorization_scheme: oneOf('none', 'bearer', 'basic', 'api_key', 'custom'),
		custom_headers: headersRule,
		payload_templates: {
			takes: [{}, { [kinds[0]!]: template }],
			refuses: [{ [kinds[0]!]: 'text' }, [template], 'x', null],
		},
	};
}
