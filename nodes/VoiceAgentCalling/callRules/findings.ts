import { adviceOf, type ErrorCode } from '../../shared/errors/catalog';
import { ServiceError } from '../../shared/errors/serviceError';
import type { MissingValue } from './placeholders';

/** A reason why a call is not ready. */
export interface Finding {
	code: string;
	/** What is wrong: a sentence without a period. */
	what: string;
	/** How to fix it, in whole sentences. */
	advice: string;
}

/** The code of a call that lacks values for variables of the agent. */
export const MISSING_VARIABLES = 'MISSING_VARIABLES';

/** How many variables an error names. */
const MAX_SHOWN = 10;

const ADVICE_ON_MISSING =
	"Map each in 'Agent Variables', and check its expression. If these are not variables, set 'Missing Variables' to Ignore.";

const ADVICE_ON_NO_TEXT = "Give a list or an object as a text, such as {{ $json.items.join(', ') }}.";

const NO_VALUE = 'variables of the agent have no value: ';

/** Returns the names in a message about variables without a value; undefined for any other message. */
export function missingIn(message: string): string | undefined {
	const start = message.toLowerCase().indexOf(NO_VALUE);
	return start === -1 ? undefined : message.slice(start + NO_VALUE.length);
}

/** Makes the finding that variables of the agent lack a value. `what` begins in lower case. */
export function missingVariables(missing: readonly MissingValue[]): Finding {
	const more = missing.length - MAX_SHOWN;
	const shown = [
		...missing
			.slice(0, MAX_SHOWN)
			.map(({ name, instead }) => (instead === undefined ? name : `${name} (${instead}, not a text)`)),
		...(more > 0 ? [`and ${more} more`] : []),
	];
	const advice = missing.some(({ instead }) => instead !== undefined)
		? `${ADVICE_ON_NO_TEXT} ${ADVICE_ON_MISSING}`
		: ADVICE_ON_MISSING;
	return finding(MISSING_VARIABLES, NO_VALUE + shown.join(', '), advice);
}

/** Makes the finding that the names of an agent's variables are unknown. A call that needs all of them is not sent. */
const notRead = (what: string, advice: string) => finding('VARIABLES_NOT_READ', what, advice);

/** The finding for a campaign without an agent. */
export const NO_AGENT = notRead('The campaign has no agent', 'Give it one with Campaign → Update.');

/** The finding for a token that lacks the permission to read flows. */
export const FLOW_NOT_READ = notRead(
	"the token may not read the agent's flow, which can have more variables",
	'Use a token that may read flows.',
);

/** How an operation treats the variables of the agent. */
export interface VariableSettings {
	/** What to do about variables without a value; by default `fail`. */
	missingVariables?: 'fail' | 'ignore';
	/** Why the call must not be sent, unless an earlier attempt has sent it. */
	variablesError?: ServiceError;
}

/** Makes a finding. @param advice by default the advice for the service's error with this code */
export function finding(code: string, what: string, advice = adviceOf(code) ?? ''): Finding {
	return { code, what, advice };
}

/**
 * Asserts that an agent or campaign exists.
 *
 * @param state undefined if the call does not concern an agent or campaign of this kind
 * @throws ServiceError with this code if it does not exist
 */
export function assertExists(
	code: ErrorCode,
	state: { exists: boolean; findings: readonly Finding[] } | undefined,
): void {
	if (state?.exists === false) {
		const { what, advice } = state.findings[0];
		throw new ServiceError(what, { code, advice, accepted: 'no', httpStatus: 404 });
	}
}
