/** A folder of the nodes whose tests are tested. */
export interface Folder {
	path: string;
	/** Another folder that belongs to it. */
	also?: string;
	/** The folders in test/unit whose tests run for each change. */
	tests: string[];
	/** A change that a test must notice, whatever Stryker reports: `code` in `file` becomes `changed`. */
	deliberate: { file: string; code: string; changed: string };
}

/** The folders on which money and security depend, by the name that `npm run test:mutation -- name` takes. */
export const folders: Readonly<Record<string, Folder>> = {
	client: {
		path: 'nodes/shared/client',
		tests: ['shared/client', 'VoiceAgentCalling/run'],
		// Repeats a call after a connection that was cut, so that a phone rings twice.
		deliberate: {
			file: 'requests.ts',
			code: 'await sendNow(request, false, { guard })',
			changed: 'await sendNow(request, true, { guard })',
		},
	},
	waiting: {
		path: 'nodes/VoiceAgentCalling/waiting',
		tests: ['VoiceAgentCalling/waiting'],
		// Looks at a campaign after a request of any sender.
		deliberate: {
			file: 'campaignTarget.ts',
			code: 'const events = authentic ?',
			changed: 'const events = authentic || true ?',
		},
	},
	triggerClient: {
		path: 'nodes/shared/triggerClient',
		tests: ['shared/triggerClient'],
		// Reads a message without its signature.
		deliberate: { file: 'messages.ts', code: 'if (!timingSafeEqual(', changed: 'if (false && timingSafeEqual(' },
	},
	phoneNumbers: {
		path: 'nodes/shared/phoneNumbers',
		tests: ['shared/phoneNumbers'],
		// Calls one of two numbers that the digits can stand for.
		deliberate: { file: 'readings.ts', code: 'if (another !== undefined) {', changed: 'if (false) {' },
	},
	delivery: {
		path: 'nodes/VoiceAgentCallingTrigger/delivery',
		also: 'nodes/shared/events',
		tests: ['VoiceAgentCallingTrigger/delivery', 'shared/events'],
		// Starts a workflow for any signature.
		deliberate: {
			file: '../../shared/events/signature.ts',
			code: 'if (timingSafeEqual(digest, candidate.signature)) {',
			changed: 'if (digest.length === candidate.signature.length) {',
		},
	},
	callRules: {
		path: 'nodes/VoiceAgentCalling/callRules',
		tests: ['VoiceAgentCalling/callRules'],
		// Calls a number of the list of blocked numbers.
		deliberate: {
			file: 'calls.ts',
			code: 'if (blockedNumbers?.phones.has(phoneOf(call.to))) {',
			changed: 'if (false) {',
		},
	},
	flows: {
		path: 'nodes/VoiceAgentCalling/agents/flows',
		tests: ['VoiceAgentCalling/agents/flows'],
		// Takes a flow for valid that the service refuses.
		deliberate: {
			file: 'checkFlow.ts',
			code: 'valid: service?.valid ?? null',
			changed: 'valid: service?.valid ?? true',
		},
	},
};

/** Stands for a sample of changes in all of these folders, for which the integration tests run. */
export const INTEGRATION = 'integration';

/** The files and folders that a run of the tests needs, without the packages that are installed. */
export const copied: readonly string[] = [
	'nodes',
	'sandbox',
	'docs',
	'scripts/lib',
	'test/unit',
	'test/docs',
	'test/mutation/folders.mts',
	'test/fastCheck.mts',
	'test/message.mts',
	'test/processorTime.mts',
	'test/readField.mts',
	'tools/mutation/jest.config.cjs',
	'tools/mutation/fastCheck.cjs',
	'jest.config.cjs',
	'package.json',
];

/** Patterns of the files of a folder. */
export const filesOf = ({ path, also = path }: Folder): string[] => [`${path}/**/*.ts`, `${also}/**/*.ts`];
