/** One step of a call's course, `after` sandbox seconds after the step before. */
export type CallStep = { after: number } & StepAction;

export type StepAction =
	| { do: 'start' | 'ring' | 'answer' | 'voicemail' | 'decline' | 'busy' | 'noAnswer' | 'fail' }
	| { do: 'hangUp'; by: CallSide }
	| { do: 'say'; text: string; by: CallSide }
	| { do: 'press'; keys: string }
	| { do: 'useAction'; action: string; arguments: Record<string, unknown> };

/** Who acts in a call: the person on the phone, or the service's agent. */
export type CallSide = 'person' | 'agent';

/** What a call is going to do. */
export interface Course {
	/** `automatic` by the number, `manual` as people act, or `scripted`. */
	kind: 'automatic' | 'manual' | 'scripted';
	/** The steps to come. */
	steps: CallStep[];
	/** When the next step is due (milliseconds since 1970). */
	due: number | null;
	/** The planned seconds since the call was answered. */
	talked: number;
}

/** The course of the next calls to a number, or from one. */
export interface Script {
	id: string;
	/** The number that is called; null for any. */
	to: string | null;
	/** The number that calls; null for any. */
	from: string | null;
	/** For how many more calls. */
	times: number;
	steps: CallStep[];
	created: number;
}
