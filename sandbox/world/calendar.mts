export interface CalendarMember {
	id: string;
	user_id: string;
	role: 'owner' | 'editor' | 'viewer';
	added: number;
}

export interface Attendee {
	id: string;
	name: string;
	email: string;
}

export interface CalendarEvent {
	id: string;
	title: string;
	description: string | null;
	/** In milliseconds since 1970, like `end`. */
	start: number;
	end: number;
	status: 'confirmed' | 'tentative' | 'cancelled';
	type: string | null;
	created_by: string | null;
	owner_id: string | null;
	owner_type: 'user' | 'agent' | null;
	attendees: Attendee[];
	meeting: { id: string; url: string } | null;
	updated: number;
}

/** Opens the calendar at the same hours of some weekdays (1 for Monday to 7 for Sunday) in the rule's own timezone. */
export interface RecurringRule {
	id: string;
	type: 'recurring';
	days_of_week: number[];
	/** HH:MM, like `end_time`, which may also be 24:00. */
	start_time: string;
	end_time: string;
	timezone: string;
}

/** Opens or blocks one whole day of the calendar's timezone; overrides the recurring rules. */
export interface ExceptionRule {
	id: string;
	type: 'exception';
	/** YYYY-MM-DD. */
	date: string;
	available: boolean;
}

export type AvailabilityRule = RecurringRule | ExceptionRule;

/** A connection to an external calendar. */
export interface CalendarProvider {
	id: string;
	provider: string;
	external_calendar_id: string;
	is_active: boolean;
	/** When the latest sync began, in milliseconds since 1970; null before the first sync. */
	syncStarted: number | null;
	/** When the previous sync ended. */
	lastSync: number | null;
}

export interface Calendar {
	id: string;
	name: string;
	timezone: string;
	metadata: Record<string, unknown>;
	/** Exactly one member is the owner. */
	members: CalendarMember[];
	events: Map<string, CalendarEvent>;
	rules: Map<string, AvailabilityRule>;
	providers: CalendarProvider[];
	created: number;
	updated: number;
}
