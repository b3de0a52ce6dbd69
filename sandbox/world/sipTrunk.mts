/** The result of a health check. */
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
	/** Null for the default port of the transport. */
	port: number | null;
	transport: 'udp' | 'tcp' | 'tls';
	outbound_proxy: string | null;
	auth_realm: string | null;
	is_active: boolean;
	is_verified: boolean;
	/** The result of the last verification or health check; null before the first check. */
	health: TrunkHealth | null;
	/** When the last result expires (milliseconds since 1970). */
	healthKeptUntil: number;
	/** Its numbers, which are also among the environment's phone numbers. */
	didIds: string[];
	created: number;
	updated: number;
}
