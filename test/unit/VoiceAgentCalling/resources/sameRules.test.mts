import type { INodeProperties } from 'n8n-workflow';

import type { ServiceRequest } from '../../../../nodes/shared/client/request.ts';
import type { Field } from '../../../../nodes/shared/fields/field.ts';
import type { Operation } from '../../../../nodes/VoiceAgentCalling/operation/operation.ts';
import { resources } from '../../../../nodes/VoiceAgentCalling/resources/index.ts';
import { routes } from '../../../../sandbox/resources/index.mts';
import { sampleDocument } from '../../../docs/agentDocument.mts';
import { exampleOf } from '../../../example.mts';
import fc from '../../../fastCheck.mts';
import { anyDocument } from '../agents/apply/anyDocument.mts';
import { requestsFor } from './requests.mts';

/** Texts below and above the limits of the service, and typical values. */
const texts = fc.oneof(
	fc.constantFrom('', ' ', 'Hello', 'Über 5', '09:30', '24:00', '9:05', '2026-02-30', '2026-03-29', '12,5', '0'),
	fc.constantFrom('true', 'null', '{}', '[]', '{"a":1}', 'DE', 'de', 'Europe/Berlin', 'Mars/Base'),
	fc.constantFrom('+12025550111', '0049 30 123456', '+49 (0)30 1234567', '030 1234', '+1', 'ada@example.com', 'ada@'),
	fc.constantFrom('https://example.com/hook', 'http://localhost:1/x', 'ftp://example.com', 'example.com'),
	fc.constantFrom(4, 5, 9, 10, 50, 51, 255, 256, 500, 501).map((length) => 'x'.repeat(length)),
	fc.constant(`https://example.com/${'x'.repeat(500)}`),
	fc.string(),
);
const numbers = fc.oneof(
	fc.constantFrom(-1, 0, 0.1, 0.5, 1, 1.5, 2, 2.01, 3, 5, 7, 10, 11, 60, 61, 120, 121, 168, 169, 300, 3600, 3601),
	fc.constantFrom(65_535, 65_536, Number.NaN),
	fc.integer(),
	fc.double(),
);

/** Generates mostly numbers that the editor allows, and some near or beyond the limits. */
function numberOf({
	typeOptions: { minValue: min = 0, maxValue: max = 1000, numberPrecision } = {},
}: INodeProperties): fc.Arbitrary<number> {
	const within = numberPrecision
		? fc.double({ min, max, noNaN: true })
		: fc.integer({ min: Math.ceil(min), max: Math.floor(max) });
	return fc.oneof({ weight: 8, arbitrary: within }, { weight: 1, arbitrary: numbers });
}

const moments = fc.constantFrom(
	'',
	'2026-03-29T02:30:00',
	'2026-03-29T02:30:00+02:00',
	'2026-10-25',
	'2026-13-01',
	'tomorrow',
	'2025-01-01T00:00:00.000Z',
);
const ids = fc.uuid();
/** Documents of agents without the names of voices and numbers, which would have to be there. */
const documents = anyDocument.map(({ voice: { template: _template, ...voice }, calling, ...document }) => ({
	...document,
	voice,
	calling: { direction: calling.direction },
}));
const odd = fc.constantFrom(undefined, null, '', 0, 'sideways', true, {}, []);

/** Generates values of a parameter: mostly valid for its type, sometimes anything. */
function valuesFor(property: INodeProperties): fc.Arbitrary<unknown> {
	const options = property.options ?? [];
	const choices = options.flatMap((option) => ('value' in option ? [option.value as unknown] : []));
	const likely = (): fc.Arbitrary<unknown> => {
		switch (property.type) {
			case 'boolean':
				return fc.boolean();
			case 'number':
				return numberOf(property);
			case 'dateTime':
				return moments;
			case 'options':
				// The only menu that is filled dynamically is that of the time zones.
				return choices.length > 0
					? fc.constantFrom(...choices)
					: fc.oneof(fc.constantFrom('UTC', 'Europe/Berlin', '+02:00'), texts);
			case 'multiOptions':
				return fc.array(choices.length > 0 ? fc.constantFrom(...choices) : ids, { maxLength: 4 });
			case 'resourceLocator':
				return fc.oneof(ids, fc.constant('')).map((value) => ({ mode: 'id', value }));
			case 'json':
				return fc.oneof(
					...(property.name === 'document' ? [documents] : []),
					fc.constantFrom('{}', '{"a": {"b": 1}}', '{"max_retries": 2}', '[1]', '{', '"text"'),
					fc.dictionary(fc.string(), fc.jsonValue()),
					fc.constant(JSON.stringify(sampleDocument())),
				);
			case 'collection':
				return parameters(options as INodeProperties[], true);
			case 'fixedCollection':
				return fc.oneof(fc.constant(property.default), rows(property));
			default: {
				const example = exampleOf(property) ?? (property.default || 'Hello');
				return fc.oneof({ weight: 5, arbitrary: fc.constant(example) }, { weight: 1, arbitrary: texts });
			}
		}
	};
	return fc.oneof({ weight: 12, arbitrary: likely() }, { weight: 1, arbitrary: odd });
}

function rows({ options = [] }: INodeProperties): fc.Arbitrary<unknown> {
	const lists = options.flatMap((list) =>
		'values' in list ? [[list.name, fc.array(parameters(list.values), { maxLength: 3 })] as const] : [],
	);
	return fc.record(Object.fromEntries(lists));
}

/** @param partly generates only a few of the parameters: of many random ones, one would nearly always be invalid */
function parameters(properties: readonly INodeProperties[], partly = false): fc.Arbitrary<Record<string, unknown>> {
	if (partly) {
		const maxLength = Math.min(3, properties.length);
		return fc.subarray([...properties], { maxLength }).chain((some) => parameters(some));
	}
	return fc.record(Object.fromEntries(properties.map((property) => [property.name, valuesFor(property)])));
}

const propertiesOf = (fields: readonly Field[]) => fields.flatMap((field) => field.properties);

function entered({ fields, updates, filters, options }: Operation): fc.Arbitrary<Record<string, unknown>> {
	return fc
		.record({
			fields: parameters(propertiesOf(fields)),
			updateFields: parameters(propertiesOf(updates), true),
			filters: parameters(propertiesOf(filters), true),
			options: parameters(propertiesOf(options), true),
		})
		.map(({ fields, ...collections }) => ({ ...fields, ...collections }));
}

/** Converts values to what the service receives in a JSON body or in a query. */
const asJson = (value: unknown): unknown => (value === undefined ? undefined : JSON.parse(JSON.stringify(value)));
const asQuery = (query: Record<string, unknown> = {}) =>
	Object.fromEntries(
		Object.entries(query)
			.filter(([, value]) => value !== undefined && value !== '')
			.map(([name, value]) => [name, Array.isArray(value) ? value.map(String) : String(value)]),
	);

/** Rules that only the service checks: zod's issue codes by field, optionally with the last segment of the path. */
const judged: Record<string, string> = {
	// Event types and languages that the user types, and which countries and integrations exist.
	events: 'invalid_enum_value',
	language: 'invalid_enum_value',
	country_code: 'custom',
	integration: 'custom',
	// The limits of free slots, of the searched period and of an event's texts are not documented.
	duration_minutes: 'too_small too_big',
	to: 'custom',
	title: 'too_big',
	type: 'too_big',
	attendees: 'too_big',
	'attendees/name': 'too_big',
};

function complaints({ method, path, query, body }: ServiceRequest): unknown {
	const route = routes.find(({ method: routeMethod, path: pattern }) => {
		const segments = pattern.replace('/api/v1/', '').split('/');
		return (
			routeMethod === method &&
			segments.length === path.length &&
			segments.every((part, index) => part.startsWith(':') || part === path[index])
		);
	});
	if (!route) {
		return `The sandbox has no ${method} ${path.join('/')}`;
	}
	const checks = [route.body?.safeParse(asJson(body ?? {})), route.query?.safeParse(asQuery(query))];
	const issues = checks.flatMap((check) => (check && !check.success ? check.error.issues : []));
	return issues.filter(
		({ path: [field], code }) =>
			![field, `${path.at(-1)}/${field}`].some((name) => judged[String(name)]?.includes(code)),
	);
}

/** The values in a request that only the node may read. */
function localIn({ query, body }: ServiceRequest, { fields, updates, options, filters }: Operation): string[] {
	const local = [...fields, ...updates, ...options, ...filters].filter((field) => field.local);
	return local.map(({ key }) => key).filter((key) => key in { ...query, ...body });
}

/** The operation that sends what the user writes unchanged, and those that only send a message to a trigger. */
const EXCEPT = ['makeApiRequest', 'connectToTrigger', 'disconnectFromTrigger'];

const operations = resources
	.flatMap(({ name, operations: own }) => own.map((operation) => ({ title: `${name} → ${operation.name}`, operation })))
	.filter(({ operation }) => !EXCEPT.includes(operation.value));

test.each(operations)('$title sends no request that the service rejects as invalid', async ({ operation }) => {
	let sent = 0;
	await fc.assert(
		fc.asyncProperty(entered(operation), async (input) => {
			const requests = await requestsFor(operation, input);
			sent += requests.length;
			for (const request of requests) {
				expect({ request, complaints: complaints(request) }).toEqual({ request, complaints: [] });
				expect({ request, local: localIn(request, operation) }).toEqual({ request, local: [] });
			}
		}),
		{ numRuns: 100 },
	);
	// A check that rejects everything must not pass.
	expect(sent).toBeGreaterThan(0);
});
