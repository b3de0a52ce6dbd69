import { groupBy } from '../../shared/lib/groupBy';
import { nonEmptyText } from './flow';
import type { FlowFinding } from './flowFindings';
import { type FlowReport, type LocatedFinding, withoutIds } from './lintFlow';
import type { RuleName } from './ruleNames';

/** What the service says about a flow. */
export interface ServiceAnswer {
	valid: boolean;
	/** What is wrong, in the service's words. */
	errors: readonly unknown[];
}

/** Findings that the service has seen, too. */
export interface MergedFindings {
	/** All findings: those of the rules in their order, then those that only the service has. */
	findings: FlowFinding[];
	/** Those of them that the service reports. Empty for a flow that it accepts. */
	confirmed: FlowFinding[];
}

/** The words in an error of the service, by the rules that find the same. The service's texts are not documented. */
const wordsByRule: ReadonlyArray<readonly [words: RegExp, rules: readonly RuleName[]]> = [
	[/\binitial/i, ['initial-missing', 'initial-unknown']],
	[/\bduplicate|\bunique|\bmore than once/i, ['id-duplicate']],
	[/\bunreachable|\bnot reachable|\breached\b/i, ['unreachable']],
	[/\baction/i, ['action-unknown', 'action-inactive']],
	[
		/\b(unknown|invalid|missing|non-?existent)\b.*\b(node|next|target|branch)|\b(not exist|not found|no such)/i,
		['target-unknown', 'initial-unknown'],
	],
	[/\btype\b/i, ['type-unknown', 'field-missing']],
	[/\bno id\b|\bid\b.*\b(required|missing)|\b(requires?|missing)\b.*\bid\b/i, ['id-missing']],
	[
		/\brequire|\bmissing|\bmust\b|\bhas no\b|\bwithout\b|\bnot an?\b/i,
		['field-missing', 'flow-empty', 'initial-missing', 'dead-end', 'match-empty', 'transfer-without-target'],
	],
	[/\bempty\b|\bat least one\b/i, ['flow-empty', 'field-missing', 'match-empty']],
];

/** The fields that an error may name. */
const FIELDS = /\b(content|next|branches|match|type)\b/g;

/** The fields that rules about missing values are about; those of other rules do not matter. */
const fieldsOfRule: Readonly<Record<string, readonly string[]>> = {
	'dead-end': ['next', 'branches'],
	'match-empty': ['match'],
	'transfer-without-target': [],
};

/** What is in quotation marks of any kind. */
const QUOTED = /'([^']+)'|"([^"]+)"|`([^`]+)`|“([^”]+)”|‘([^’]+)’/g;

/**
 * Merges what the service says about a flow with what the rules found. Each error of the service is compared by the nodes
 * that it names and by its words; one that fits no finding is added with the rule `service`.
 *
 * - What the service reports is an error, whatever the rule says.
 * - If the service accepts the flow, nothing in it is an error.
 * - That a node is unreachable is left out if another error explains it.
 */
export function mergeServiceAnswer(report: FlowReport, { valid, errors }: ServiceAnswer): MergedFindings {
	if (valid) {
		return { findings: report.findings.map((finding) => accepted(withoutIds(finding))), confirmed: [] };
	}
	const confirmed = new Set<LocatedFinding>();
	const others: FlowFinding[] = [];
	const index = indexed(report);
	for (const error of errors) {
		const text = textOf(error);
		const ids = idsIn(text, report.nodePaths);
		const same = matching(text, ids, index);
		for (const finding of same) {
			confirmed.add(finding);
		}
		// A node that cannot be reached has a finding: its own, or that of what leads there.
		const isExplained =
			/unreachable|not reachable|reached/i.test(text) && ids.some((id) => report.unreachableIds.has(id));
		if (same.length === 0 && !isExplained) {
			const nodeId = ids.find((id) => report.nodePaths.has(id));
			others.push(ofService(text, nodeId, report.nodePaths.get(nodeId ?? '')));
		}
	}
	if (errors.length === 0) {
		others.push(ofService('The flow is not valid.'));
	}
	const asErrors = new Map(
		[...confirmed].map((finding) => [finding, { ...withoutIds(finding), severity: 'error' as const }]),
	);
	const findings = report.findings.map((finding) => asErrors.get(finding) ?? withoutIds(finding));
	return {
		findings: [...findings, ...others],
		confirmed: [...findings.filter((_, at) => confirmed.has(report.findings[at])), ...others],
	};
}

/** The finding about a flow that the service accepts. */
function accepted(finding: FlowFinding): FlowFinding {
	return finding.severity === 'error'
		? { ...finding, severity: 'warning', message: `${finding.message} The service accepts it all the same.` }
		: finding;
}

function ofService(text: string, nodeId?: string, path = ''): FlowFinding {
	return {
		severity: 'error',
		rule: 'service',
		nodeId: nodeId ?? null,
		path,
		message: `The service reports: ${/[.!?]$/.test(text) ? text : `${text}.`}`,
		fix: 'Correct the flow as the service says.',
	};
}

function textOf(error: unknown): string {
	const message = typeof error === 'object' && error !== null && 'message' in error ? error.message : error;
	return nonEmptyText(message) ?? String(JSON.stringify(error));
}

/** The IDs that an error names: what is in quotation marks, otherwise the words that are IDs of nodes. */
function idsIn(text: string, nodes: ReadonlyMap<string, unknown>): string[] {
	const inMarks = [...text.matchAll(QUOTED)].map(
		(groups) => groups.slice(1).find((group) => group !== undefined) ?? '',
	);
	return inMarks.length > 0
		? inMarks
		: (text.match(/[^\s,;:()]+/g) ?? []).map((word) => word.replace(/\.$/, '')).filter((word) => nodes.has(word));
}

/** The findings, by what an error of the service may name. */
type FindingIndex = ReturnType<typeof indexed>;

function indexed({ findings }: FlowReport) {
	const nameless = findings.filter(({ ids }) => ids.length === 0);
	const named = findings.flatMap((finding) => finding.ids.map((id) => ({ id, finding })));
	return {
		byId: groupBy(named, ({ id }) => id),
		/** Those without IDs, by the place of the node that they are about. */
		byPlace: groupBy(nameless, ({ path }) => /^nodes\[\d+\]/.exec(path)?.[0] ?? ''),
		withoutIds: nameless,
	};
}

/** The findings that an error of the service is about. */
function matching(text: string, ids: readonly string[], { byId, byPlace, withoutIds }: FindingIndex): LocatedFinding[] {
	const unquoted = text.replace(QUOTED, '');
	const rules = new Set<string>(wordsByRule.filter(([words]) => words.test(unquoted)).flatMap(([, names]) => names));
	const named = new Set(ids);
	const atPositions = (unquoted.match(/\d+/g) ?? []).flatMap((position) => byPlace.get(`nodes[${position}]`) ?? []);
	const nameless = atPositions.length > 0 ? atPositions : withoutIds;
	if (ids.length === 0 && rules.has('id-missing')) {
		// That a node has no ID is no word about its other fields.
		rules.delete('field-missing');
	}
	const candidates = new Set([...ids.flatMap((id) => byId.get(id)?.map(({ finding }) => finding) ?? []), ...nameless]);
	const fits = fieldCheck(unquoted);
	const scored = [...candidates]
		.filter(({ rule, path }) => rules.has(rule) && fits(rule, path))
		.map((finding) => ({ finding, score: finding.ids.filter((id) => named.has(id)).length }));
	const best = scored.reduce((most, { score }) => Math.max(most, score), 0);
	return scored.filter(({ score }) => score === best).map(({ finding }) => finding);
}

/** Makes a function that tells whether an error may be about the field at a path: it names the field, or none. */
function fieldCheck(text: string): (rule: string, path: string) => boolean {
	// "of type 'ask'" says what the node is, not what is wrong with it.
	const fields = text.replace(/\bof type\b/, '').match(FIELDS) ?? [];
	return (rule, path) => {
		const about = rule === 'field-missing' ? [path.slice(path.lastIndexOf('.') + 1)] : fieldsOfRule[rule];
		return about === undefined || fields.length === 0 || fields.some((field) => about.includes(field));
	};
}
