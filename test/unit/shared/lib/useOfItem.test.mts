import { type UseOfItem, useOfItem } from '../../../../nodes/shared/lib/expressions.ts';

const nothing: UseOfItem = { any: false, properties: [], whole: false, rest: false };
const ofNode: UseOfItem = { ...nothing, any: true, rest: true };
const whole: UseOfItem = { ...nothing, any: true, whole: true };
const phone: UseOfItem = { ...nothing, any: true, properties: ['phone'] };

test.each<[unknown, UseOfItem]>([
	// No expression.
	...['', 'US$ 5', '{{ $json.phone }}', '=US$ 5', 5, null, undefined, {}].map((value): [unknown, UseOfItem] => [
		value,
		nothing,
	]),
	// Of the whole run, from the model, or computed.
	...[
		'={{ 5 }}',
		'=US$ {{ 5 }}',
		"={{ $fromAI('phone', 'US number', 'string') }}",
		"={{ $fromai('phone') }} {{ $FromAI('name') }}",
		'={{ $now }} {{ $today }} {{ $workflow.name }} {{ $vars.phone }} {{ $execution.id }} {{ $env.PHONE }}',
		"={{ $('People').first().json.phone }}",
		'={{ $("The people").all().length }}',
		'={{ $if($ifEmpty($vars.a, 1) > $max(1, 2), $runIndex, $secrets.a.b) }}',
	].map((value): [unknown, UseOfItem] => [value, nothing]),
	// The item, whose properties a model can pass. In an older agent, the first and all items are of the whole run.
	['={{ $json.phone }}', phone],
	['=Call {{ $json?.phone }}', phone],
	["={{ $json['phone'] }}", phone],
	['={{ $json?.["phone"].slice(1) }}', phone],
	['={{ $input.item.json.phone }}', phone],
	['={{ $input.first().json.phone }}', { ...phone, any: false }],
	['={{ $input.all()[0].json.phone }}', { ...phone, any: false }],
	['={{ $json }}', whole],
	['={{ Object.keys($json) }}', whole],
	['={{ $json[$fromAI("name")] }}', whole],
	['={{ $input.item }}', whole],
	['={{ $input.all().map(({ json }) => json.phone) }}', { ...whole, any: false }],
	// What an agent finds by another way, or what is unknown.
	["={{ $('People').item.json.phone }}", ofNode],
	["={{ $('People').all()[$itemIndex].json.phone }}", ofNode],
	["={{ $('People').itemMatching(0).json.phone }}", ofNode],
	['={{ $node["People"].json.phone }}', ofNode],
	['={{ $items("People") }}', ofNode],
	['={{ $prevNode.name }}', ofNode],
	['={{ $parameter.phoneNumber }}', ofNode],
	['={{ $anything }}', ofNode],
	// Several at once.
	["={{ $json.phone ?? $('People').item.json.name }}", { ...phone, rest: true }],
	["={{ $('People').all().find(({ json }) => json.id === $json.phone).json.name }}", phone],
	["={{ $fromAI('phone', $json.phone) }}", phone],
	['={{ "}}" + $json.phone }}', phone],
])('The expressions in %j use of an item %j', (value, used) => {
	expect(useOfItem(value)).toEqual(used);
	expect(useOfItem({ list: [{ value }, 'fixed'] })).toEqual(used);
});
