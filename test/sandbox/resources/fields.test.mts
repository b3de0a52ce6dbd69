import type { SchemaObject as Schema } from 'ajv';

import type { Json } from '../client.mts';
import { realPath } from '../objects.mts';
import { useService } from '../use.mts';

const operations = Object.entries(globalThis.sandbox.document.paths).flatMap(([path, methods]) =>
	Object.entries(methods).map(([method, operation]) => [method.toUpperCase(), path, operation as Schema] as const),
);

const service = useService();

/** Returns the top-level fields that a 422 names. */
const wrongFields = ({ errors, error }: Json) => [
	...new Set(Object.keys(errors ?? error?.details?.errors ?? {}).map((name) => name.split('.', 1)[0])),
];

/** Returns values at the limits of a schema, and values beyond them or of another type. */
function values({ type, anyOf, ...schema }: Schema): { takes: unknown[]; refuses: unknown[] } {
	const parts: Schema[] = anyOf ?? [type].flat().map((one: string) => ({ ...schema, type: one }));
	if (parts.length > 1) {
		const each = parts.map((part) => values(part));
		const takes = each.flatMap((one) => one.takes);
		return { takes, refuses: each[0]!.refuses.filter((value) => !takes.includes(value) && !takes.includes('1')) };
	}
	const { minLength = 0, maxLength, minimum, maximum, pattern, format, minItems = 0, items, required } = schema;
	const given = (...limits: unknown[]) => limits.filter((limit) => limit !== undefined && !Number.isNaN(limit));
	switch (type) {
		case 'string': {
			const long = (length: number | undefined) => (length === undefined ? undefined : 'x'.repeat(length));
			const beyond = given(long(maxLength && maxLength + 1), minLength > 0 ? '' : undefined);
			const isFree = pattern === undefined && format === undefined;
			const takes =
				'const' in schema ? [schema.const] : (schema.enum ?? (isFree ? [long(minLength), long(maxLength)] : []));
			return { takes: given(...takes), refuses: [7, null, ...beyond, ...(isFree && !schema.enum ? [] : ['other'])] };
		}
		case 'integer':
		case 'number': {
			const beyond = given(minimum - 0.01, maximum + 1, type === 'integer' ? (minimum ?? 0) + 0.5 : undefined);
			return { takes: given(minimum, maximum), refuses: ['1', null, ...beyond] };
		}
		case 'boolean':
			return { takes: [true, false], refuses: ['true', 1, null] };
		case 'array': {
			const wrongItems = values(items).refuses.map((item) => [item]);
			return { takes: [], refuses: ['x', {}, null, ...(minItems > 0 ? [[]] : []), ...wrongItems] };
		}
		case 'object':
			return { takes: required ? [] : [{}], refuses: ['x', [], null, ...(required ? [{}] : [])] };
		default:
			return { takes: type === 'null' ? [null] : [], refuses: [] };
	}
}

/** Fields that depend on other fields, objects or rules that JSON Schema cannot express. Some are tested below. */
const NOT_ALONE = `timezone is_active execution_mode similarity stability type owner_type flow_config password
	private_key role country_code`.split(/\s+/);
const EXCEPTION = { type: 'exception', date: '2030-01-01', available: false };

const bodies = operations.flatMap(([method, path, { requestBody }]) => {
	if (method === 'PUT' && path.endsWith('callback')) {
		// As for POST, except for an agent with the role.
		return [];
	}
	const media: Schema | undefined = requestBody?.content['application/json'];
	const schemas: Schema[] = media?.schema.anyOf ?? (media ? [media.schema] : []);
	return schemas.map((schema) => {
		const example = 'available' in schema.properties && schema.required ? EXCEPTION : media!.example;
		return [method, path, schema, example] as const;
	});
});

it.each(bodies)('%s %s takes the limits of each field, and refuses what is beyond them', async (...given) => {
	const [method, path, { properties, required = [] }, example] = given;
	const url = await realPath(service, path);
	if (method === 'PUT' && path.endsWith('sftp')) {
		await realPath(service, '/sftp/');
	}
	const send = async (body: object) => {
		const { status, data } = await service.api(method, url, body);
		return { status, wrong: wrongFields(data) };
	};
	for (const [field, schema] of Object.entries<Schema>(properties)) {
		// A wrong number of a call through an agent has its own status and codes.
		if (field === 'to' && !path.includes('campaign')) {
			continue;
		}
		const { takes, refuses } = values(schema);
		const refused = { status: 422, wrong: [field] };
		for (const value of [...refuses, ...(required.includes(field) ? [undefined] : [])]) {
			expect([field, value, await send({ ...example, [field]: value })]).toEqual([field, value, refused]);
		}
		for (const value of NOT_ALONE.includes(field) ? [] : takes) {
			const { wrong } = await send({ ...example, [field]: value });
			expect({ field, value, refused: wrong.includes(field) }).toEqual({ field, value, refused: false });
		}
	}
});

const hosts = ['https://sip.example.com', 'sip.example.com:5060', 'sip.example.com/x', 'a b'];
const zones = ['Mars/Base', '+02:00'];
const urls = ['ftp://example.com', '/hook', 'http://'];
const numbers = ['12025550100', '+120255', '+1202555010012345', '+02025550100', '+1 202 555 0100'];
const UNKNOWN = '00000000-0000-4000-8000-000000000000';
const header = (key: string, value: string) => [{ key, value }];
const range = (start: string, end: string) => [{ start, end }];
const email = (length: number) => `${'a'.repeat(length - 12)}@example.com`;
const times = ['9:00', '24:00', '09:60'];
const [ACTION, HOOK] = ['POST /agents/{agent_id}/actions', 'POST /agents/{agent_id}/webhooks'];
const [CAMPAIGN, SFTP] = ['POST /campaigns', 'POST /campaigns/{campaign_id}/sftp'];
const [RULE, EVENT] = ['POST /calendars/{calendar_id}/availability-rules', 'POST /calendars/{calendar_id}/events'];
const DID = 'POST /sip-trunks/{trunk_id}/dids';
const [RANGE, LIST] = ['call_time_ranges', 'do_not_call_custom_list'];

it.each<[operation: string, field: string, takes: unknown[], refuses: unknown[], key?: string]>([
	['POST /sip-trunks', 'domain', ['localhost', '192.0.2.1', '2001:db8::1'], hosts],
	[DID, 'number', ['+1202555', '+120255501001234'], numbers],
	[SFTP, 'host', [], hosts],
	['POST /campaigns/{campaign_id}/call', 'to', ['+1202555', '+120255501001234'], numbers],
	['POST /campaigns/{campaign_id}/webhooks', 'events', [], [['event_phone_call_ended']], 'events.0'],
	['POST /campaigns/{campaign_id}/webhooks', 'webhook_url', [], urls],
	[CAMPAIGN, 'timezone', ['America/Sao_Paulo'], zones],
	[CAMPAIGN, 'start_date', ['2020-02-29'], ['2021-02-29', '2020-13-01', '2020-1-1']],
	[CAMPAIGN, 'end_date', [null, '2099-12-31'], ['2019-12-31']],
	[CAMPAIGN, 'agent_id', [], [UNKNOWN]],
	[CAMPAIGN, 'days_of_week', [], [[1, 8]], 'days_of_week.1'],
	[CAMPAIGN, RANGE, [range('00:00', '24:00')], [range('10:00', '10:00'), range('10:00', '09:00')], `${RANGE}.0.end`],
	[CAMPAIGN, RANGE, [], [range('9:00', '24:00'), range('09:60', '24:00')], `${RANGE}.0.start`],
	[CAMPAIGN, 'earliest_call_time', ['09:00', '09:30:15'], [...times, '09:00:60']],
	[CAMPAIGN, LIST, [['+12025550100']], [['0202']], `${LIST}.0`],
	['POST /agents', 'phone_number_ids', [[]], [[UNKNOWN]]],
	[ACTION, 'transfer_to', ['+12025550177'], numbers],
	[ACTION, 'execution_mode', ['during_call'], ['post_call']],
	[ACTION, 'custom_headers', [header('x', '')], [header('a b', 'c')], 'custom_headers.0.key'],
	[HOOK, 'custom_headers', [], [header('a', 'b\nc')], 'custom_headers.0.value'],
	[HOOK, 'events', [], [['event_recording', 'campaign.started']], 'events.1'],
	[HOOK, 'payload_templates', [{ any_kind: { id: '{{call.id}}' } }], [{ x: 'text' }], 'payload_templates.x'],
	[RULE, 'end_time', ['23:59', '24:00'], ['24:01', '09:00', '08:00']],
	[EVENT, 'start_at', [], ['tomorrow', '2030-02-30T10:00:00Z', '2030-01-01T25:00:00Z']],
	[EVENT, 'end_at', [], ['2030-01-15T08:00:00Z', '2030-01-15T09:30:00+02:00']],
	[EVENT, 'attendees', [[]], [[{ name: 'Ada', email: 'ada' }]], 'attendees.0.email'],
	['POST /calendars/{calendar_id}/events/{event_id}/attendees', 'email', [email(255)], [email(256), 'ada@']],
])('%s has a rule for %s that no schema has', async (operation, field, takes, refuses, key = field) => {
	const [method = '', path = ''] = operation.split(' ');
	const own = operations.find((one) => one[0] === method && one[1] === `/api/v1${path}`)!;
	const { example } = own[2].requestBody.content['application/json'];
	const url = await realPath(service, path);
	for (const value of takes) {
		const { data } = await service.api(method, url, { ...example, [field]: value });
		expect([value, wrongFields(data)]).toEqual([value, expect.not.arrayContaining([field])]);
	}
	for (const value of refuses) {
		const { status, data } = await service.api(method, url, { ...example, [field]: value });
		expect([value, status, Object.keys(data.errors)]).toEqual([value, 422, [key]]);
	}
});

/** The other query variables that a list requires. */
const NEEDED: Record<string, Record<string, string>> = {
	'/api/v1/calendars/events': { 'calendar_ids[]': 'CALENDAR' },
	'/api/v1/calendars/{calendar_id}/availability': { from: '2026-01-05', to: '2026-01-06' },
};
const MOMENTS = ['2026-01-31', '2026-01-31T10:00:00Z', '2026-01-31T10:00:00-03:00'];

/** Returns valid and invalid texts for a query variable. */
function queryValues({ type, anyOf, ...schema }: Schema): { takes: string[]; refuses: string[] } {
	if (anyOf) {
		return { takes: ['true', 'false', '1', '0'], refuses: ['yes', '2'] };
	}
	if (type === 'integer') {
		const limits: number[] = [schema.minimum, schema.maximum ?? 999];
		const beyond = [schema.minimum - 1, ...(schema.maximum ? [schema.maximum + 1] : [])];
		return { takes: limits.map(String), refuses: [...beyond, 1.5, 'one', '1e3', '9999999999999999'].map(String) };
	}
	if (schema.enum) {
		return { takes: schema.enum, refuses: ['other', String(schema.enum[0]).toUpperCase()] };
	}
	const isDate = schema.format === 'date';
	const wrong = ['2026-02-29', '31.01.2026', 'today'];
	return isDate || schema.pattern
		? { takes: isDate ? ['2028-02-29'] : MOMENTS, refuses: isDate ? [...wrong, MOMENTS[1]!] : wrong }
		: { takes: ['any'], refuses: [] };
}

const queries = operations.filter(([, path, { parameters = [] }]) =>
	parameters.some((one: Schema) => one.in === 'query' && path.startsWith('/api/')),
);

it.each(queries)(
	'%s %s takes each value of a query, none twice, and refuses others',
	async (_method, path, operation) => {
		const url = await realPath(service, path);
		const ask = (field: string, ...given: string[]) => {
			const search = new URLSearchParams({ ...NEEDED[path] });
			search.delete(field);
			given.forEach((value) => search.append(field, value));
			return service.api('GET', `${url}?${search.toString().replace('CALENDAR', service.seed.calendar)}`);
		};
		for (const { in: place, name, schema } of operation.parameters as Schema[]) {
			if (place !== 'query' || schema.type === 'array') {
				continue;
			}
			const { takes, refuses } = queryValues(schema);
			const isBound = NEEDED[path]?.[name] !== undefined;
			for (const value of isBound ? [] : [...takes, '']) {
				expect([name, value, (await ask(name, value)).status]).toEqual([name, value, 200]);
			}
			for (const given of [...refuses.map((value) => [value]), [takes[0]!, takes[0]!], ...(isBound ? [[]] : [])]) {
				const { status, data } = await ask(name, ...given);
				expect([name, given, status, wrongFields(data)]).toEqual([name, given, 422, [name]]);
			}
		}
	},
);
