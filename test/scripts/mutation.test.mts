import { readFileSync } from 'node:fs';
import { join } from 'node:path';

import { root } from '../../scripts/lib/places.mts';
import { folders } from '../mutation/folders.mts';
import { percent, scoreOf } from '../mutation/score.mts';
import { type MutationRun, readRuns, withRuns } from '../mutation/table.mts';
import { isTextForPeople } from '../mutation/texts.mts';

test.each(Object.entries(folders))('the deliberate change of %s has one place in the code', (_name, folder) => {
	const { file, code } = folder.deliberate;
	expect(readFileSync(join(root, folder.path, file), 'utf8').split(code)).toHaveLength(2);
});

const literal = (value: string) => ({ type: 'StringLiteral', value });
const template = (...texts: string[]) => ({
	type: 'TemplateLiteral',
	quasis: texts.map((raw) => ({ value: { raw } })),
});

describe('a text for people is told from what a program reads', () => {
	test.each([
		literal('The execution was canceled'),
		literal('Enter it with + and the country code, for example +4915112345678'),
		template('Run this again in ', ' seconds'),
		template('It can be ', ' or ', ''),
		template('"', '" could not resume the execution: ', ''),
	])('a text: %j', (node) => {
		expect(isTextForPeople(node)).toBe(true);
	});

	test.each([
		literal('OUTCOME_UNKNOWN'),
		literal('x-voice-agent-calling-message'),
		literal('/webhook-test/'),
		literal('in flight'),
		literal('try again'),
		literal(', '),
		literal('{{ $execution.resumeUrl }}'),
		template('', ' ', ''),
		template('{{ $node[', '].context }}'),
		{ type: 'Identifier' },
	])('no text: %j', (node) => {
		expect(isTextForPeople(node)).toBe(false);
	});

	test('a text that is compared is read by the program', () => {
		const text = literal('The request was not sent');
		expect(isTextForPeople(text, { type: 'BinaryExpression' })).toBe(false);
		expect(isTextForPeople(text, { type: 'SwitchCase' })).toBe(false);
		expect(isTextForPeople(text, { type: 'ReturnStatement' })).toBe(true);
	});
});

test('the score is the part of the changes that were tried and that a test noticed', () => {
	const statuses = ['Killed', 'Timeout', 'Survived', 'NoCoverage', 'Ignored', 'RuntimeError'];
	const score = scoreOf({ files: { 'a.ts': { mutants: statuses.map((status) => ({ status })) } } });
	expect(score).toEqual({ noticed: 2, timedOut: 1, all: 4 });
	expect(percent(score)).toBe('50.0 %');
	expect(percent({ noticed: 8499, all: 10_000 })).toBe('84.9 %');
	expect(percent({ noticed: 0, all: 0 })).toBe('100.0 %');
});

/** Folders that have not been run since they were added. A run writes their row, and then they do not belong here. */
const withoutRun = ['applying'];

describe('The table of results in docs/contributing/testing.md', () => {
	const page = readFileSync(join(root, 'docs', 'contributing', 'testing.md'), 'utf8');
	const names = Object.keys(folders);
	const run = (folder: string): MutationRun => ({
		...{ folder, all: 200, noticed: 190, timedOut: 3, minutes: 5, date: '2026-01-02', commit: 'abcdef1234' },
	});

	test('is as npm run test:mutation has written it, with every folder and enough changes noticed', () => {
		const runs = readRuns(page);
		expect(runs.map(({ folder }) => folder)).toEqual(names.filter((name) => !withoutRun.includes(name)));
		expect(runs.filter(({ noticed, all }) => noticed / all < 0.85)).toEqual([]);
		expect(runs.filter(({ timedOut, noticed }) => timedOut > noticed)).toEqual([]);
	});

	test.each([
		['a number', (text: string) => text.replace('| 190 |', '| 191 |')],
		['a score', (text: string) => text.replace('95.0 %', '96.0 %')],
		['a row', (text: string) => text.replace(/\| waiting .*\n/, '')],
	])('is refused where somebody has edited %s', (_what, edit) => {
		const written = withRuns(page, names.map(run), names);
		expect(readRuns(written)).toEqual(names.map(run));
		expect(edit(written)).not.toBe(written);
		expect(() => readRuns(edit(written))).toThrow('was edited');
	});

	test('keeps the rows of folders that were not run', () => {
		const both = withRuns(page, ['sending', 'waiting'].map(run), ['sending', 'waiting']);
		const newer = { ...run('waiting'), noticed: 200 };
		expect(readRuns(withRuns(both, [newer], ['sending', 'waiting']))).toEqual([run('sending'), newer]);
	});
});
