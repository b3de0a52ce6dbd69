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

/** All variants, in the order in which they take effect: what changes the form of everything comes last. */
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

/** A name that no variant has. */
export class UnknownVariant extends Error {}

/** The variants with these names, in the order in which they are listed. @throws UnknownVariant */
export function variantsNamed(names: readonly string[]): Variant[] {
	const unknown = names.find((name) => !variants.some((variant) => variant.name === name));
	if (unknown !== undefined) {
		throw new UnknownVariant(`There is no variant "${unknown}".`);
	}
	return variants.filter(({ name }) => names.includes(name));
}

/** The settings of a sandbox with some variants. */
export function optionsWith(options: SandboxOptions, chosen: readonly Variant[]): SandboxOptions {
	return Object.assign({ ...options }, ...chosen.map((variant) => variant.options ?? {}));
}
