import type { VariantSection } from '../../../sandbox/world/variant.mts';

export type Section = VariantSection;

/** What every variant has to leave working, or make the nodes say. */
const BASE = ['Place', 'Queue Call', 'Trigger of a campaign'];

const QUEUED = ['Queue Call, queued before', 'Queue Call, campaign not active'];
const WAITS = ['Place and Wait', 'Queue Call and Wait', 'Wait Until Completed'];

/** The jobs that a section of the assumptions touches, besides those that run for every one. */
const TOUCHED: Record<Section, readonly string[]> = {
	agents: ['Pickers', 'Validate a flow', 'Export and Apply'],
	actions: ['Export and Apply'],
	voices: ['Pickers', 'Export and Apply'],
	numbers: ['Pickers', 'Export and Apply'],
	calls: ['Place and Wait'],
	campaigns: ['Pickers', ...QUEUED, 'Set Status', 'Queue Call and Wait', 'Wait Until Completed'],
	files: [],
	trunks: [],
	calendars: [],
	webhooks: ['Trigger of an agent', 'Catch Up', 'Check Registration'],
	events: ['Trigger of an agent', ...WAITS],
	signatures: ['Trigger of an agent', ...WAITS],
	lists: ['Pickers', 'Catch Up', 'Check Registration', 'Place and Wait', 'Export and Apply'],
	answers: [
		'Credential test',
		'Pickers',
		...QUEUED,
		'Set Status',
		'Trigger of an agent',
		...WAITS,
		'Catch Up',
		'Check Registration',
		'Validate a flow',
		'Export and Apply',
	],
	limits: [],
	errors: ['Credential test', ...QUEUED, 'Check Registration'],
};

/** The names of the jobs that run with the variants of a section in every test run. */
export const jobsOf = (section: Section): readonly string[] => [...BASE, ...TOUCHED[section]];
