import type { SandboxOptions } from '../options.mts';
import type { Variant } from '../world/variant.mts';
import { errors } from './errors.mts';
import { events } from './events.mts';
import { limits } from './limits.mts';
import { lists } from './lists.mts';
import { objects } from './objects.mts';
import { responses } from './responses.mts';
import { signatures } from './signatures.mts';
import { webhooks } from './webhooks.mts';

/** All variants, in the order in which they take effect. Variants that change the form of everything come last. */
export const variants: readonly Variant[] = [
	...objects,
	...webhooks,
	...events,
	...signatures,
	...lists,
	...responses,
	...limits,
	...errors,
];

/** The name of an unknown variant. */
export class UnknownVariant extends Error {}

/** Returns the variants with these names, in the order of `variants`. @throws UnknownVariant */
export function variantsNamed(names: readonly string[]): Variant[] {
	const unknown = names.find((name) => !variants.some((variant) => variant.name === name));
	if (unknown !== undefined) {
		throw new UnknownVariant(`The variant "${unknown}" does not exist.`);
	}
	return variants.filter(({ name }) => names.includes(name));
}

/** Returns the settings with the changes of the chosen variants. */
export function optionsWith(options: SandboxOptions, chosen: readonly Variant[]): SandboxOptions {
	return Object.assign({ ...options }, ...chosen.map((variant) => variant.options ?? {}));
}
