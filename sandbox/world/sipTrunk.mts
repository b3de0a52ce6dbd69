/** What a check of a trunk found. */
export interface TrunkHealth {
	is_healthy: boolean;
	response_time_ms: number;
	error?: string;
	/** Milliseconds since 1970. */
	checked: number;
}

export interface SipTrunk {
	id: string;
	name: string;
	provider_name: string;
	domain: string;
	username: string;
	password: string;
	/** Null where none was set: the transport's own port. */
	port: number | null;
	transport: 'udp' | 'tcp' | 'tls';
	outbound_proxy: string | null;
	auth_realm: string | null;
	is_active: boolean;
	is_verified: boolean;
	/** What its last verification or health check found; null before the first. */
	health: TrunkHealth | null;
	/** Until when a health check need not be made anew (milliseconds since 1970). */
	healthKeptUntil: number;
	/** Its numbers, which are in the environment's phone numbers too. */
	didIds: string[];
	created: number;
	updated: number;
}
