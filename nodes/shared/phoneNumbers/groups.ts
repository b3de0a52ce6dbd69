import { type MetadataJson, PhoneNumber } from 'libphonenumber-js/core';
import metadata from 'libphonenumber-js/metadata.max.json';

import type { Groups, Notation } from './notation';

/** How well groups fit a format: they are the same, or some of them are put together, or they differ. */
type Fit = 2 | 1 | 0;

/** A number that digits may stand for. */
export interface Reading {
	/** With calling code, without +. */
	number: string;
	/** As it is dialed in the country, or as it is written anywhere, without its +. */
	as: 'dialed' | 'withoutPlus';
}

/** A calling code before a hyphen or in brackets. */
const CODE_APART = /^(?:\((\d{1,3})\)|(\d{1,3})\s?-)/;

/**
 * The readings of a number whose usual format has the groups that were written: `202-224-5251` is a number of the United
 * States, and not +20 22245251. A calling code is never written together with the digits after it if these have groups,
 * and hardly without + before a hyphen or in brackets. A reading that has lost its first digits is no such evidence, but
 * evidence against the others.
 *
 * @returns those of the only number that fits best, or else all of them
 */
export function groupedLike({ groups, plain }: Notation, readings: readonly Reading[]): readonly Reading[] {
	if (groups.length === 1) {
		return readings;
	}
	const [, inBrackets, beforeHyphen = inBrackets] = CODE_APART.exec(plain) ?? [];
	const fits = readings.map((reading) => {
		const usual = usualGroups(reading);
		const fit = fitOf(groups, usual);
		const isUnlikely = reading.as === 'withoutPlus' && beforeHyphen === usual[0];
		// With its area code in brackets, a number is whole also without a trunk prefix: (495) 123-45-67 for 8 (495) …
		const isWhole = usual.join('') === groups.join('') || hasBrackets(plain, reading);
		return { reading, fit: isUnlikely ? Math.min(fit, 1) : fit, isWhole };
	});
	const best = Math.max(...fits.map(({ fit }) => fit));
	const found = fits.filter(({ fit }) => fit === best);
	const [number, another] = new Set(found.map(({ reading }) => reading.number));
	const isClear = best > 0 && another === undefined && found.some(({ isWhole }) => isWhole);
	return isClear ? readings.filter((reading) => reading.number === number) : readings;
}

/** Whether an area code stands in brackets, as it usually does. */
function hasBrackets(plain: string, reading: Reading): boolean {
	const [inBrackets] = /^\(\d+\)/.exec(plain) ?? [];
	return reading.as === 'dialed' && inBrackets !== undefined && usualFormat(reading).includes(inBrackets);
}

/** Whether a number has its area code: it is written as usual, but for a trunk prefix that may be missing. */
export function hasAreaCode({ groups }: Notation, number: string): boolean {
	const usual = usualGroups({ number, as: 'dialed' });
	return usual.join('') === groups.join('') || (groups.length > 1 && fitOf(groups, usual) > 0);
}

/** Whether a whole number has the groups that people write in its country. @param number with calling code, without + */
export function isUsual({ groups }: Notation, number: string): boolean {
	const usual = usualGroups({ number, as: 'dialed' });
	return usual.join('') === groups.join('') && fitOf(groups, usual) > 0;
}

/** The same sign between all groups, of which there are several. */
const SAME_SIGNS = /^\d+([.-])(?:\d+\1)+\d+$/;

/** Whether the first group is set apart as in the usual format, or as all others. @param number see {@link isUsual} */
export function hasUsualSigns({ plain }: Notation, number: string): boolean {
	return SAME_SIGNS.test(plain) || firstSigns(plain) === firstSigns(usualFormat({ number, as: 'dialed' }));
}

/** The signs around the first group, but for blanks. */
const firstSigns = (text: string) => /^(\D*)\d+(\D*)/.exec(text)?.slice(1).join(' ').replace(/\s/g, '');

/** A number as people write it. */
function usualFormat({ number, as }: Reading): string {
	const phone = new PhoneNumber(`+${number}`, metadata as unknown as MetadataJson);
	return as === 'dialed' ? phone.formatNational() : phone.formatInternational();
}

const groupsIn = (text: string): Groups => text.match(/\d+/g) ?? [];

const usualGroups = (reading: Reading) => groupsIn(usualFormat(reading));

/** @param usual groups of the whole number, whose first digits may be missing */
function fitOf(groups: Groups, usual: Groups): Fit {
	const [digits, whole] = [groups.join(''), usual.join('')];
	if (!whole.endsWith(digits)) {
		return 0;
	}
	const missing = whole.length - digits.length;
	const expected = endsOf(usual)
		.map((end) => end - missing)
		.filter((end) => end > 0);
	const written = endsOf(groups);
	if (written[0] !== expected[0] || !written.every((end) => expected.includes(end))) {
		return 0;
	}
	return written.length === expected.length ? 2 : 1;
}

/** After how many digits each group ends. */
function endsOf(groups: Groups): number[] {
	let length = 0;
	return groups.map((group) => {
		length += group.length;
		return length;
	});
}
