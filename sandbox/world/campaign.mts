import type { CampaignCall } from './call.mts';
import type { CampaignFile, SftpConfiguration } from './sftp.mts';

export interface TimeRange {
	start: string;
	end: string;
}

export interface Campaign {
	id: string;
	name: string;
	description: string | null;
	status: 'draft' | 'active' | 'paused' | 'completed' | 'cancelled';
	campaign_type: 'sales' | 'follow_up' | 'reminder' | 'custom';
	agent_id: string;
	start_date: string;
	end_date: string | null;
	days_of_week: number[];
	call_time_ranges: TimeRange[];
	timezone: string;
	initial_call_delay: number;
	max_retries: number;
	retry_cooldown_hours: number;
	auto_complete: boolean;
	retry_on_no_conversion: boolean;
	enable_post_completion_cooldown: boolean;
	post_completion_cooldown_hours: number;
	success_cooldown_hours: number | null;
	voicemail_cooldown_hours: number | null;
	no_answer_cooldown_hours: number | null;
	busy_cooldown_hours: number | null;
	failed_cooldown_hours: number | null;
	do_not_call_enabled: boolean;
	do_not_call_list_source: 'environment' | 'campaign' | 'global' | 'custom';
	do_not_call_custom_list: string[];
	auto_add_to_dnc_enabled: boolean;
	auto_dnc_trigger_statuses: string[];
	auto_dnc_trigger_errors: string[];
	calls: CampaignCall[];
	/** The calls that are not over, by phone number. */
	open: Map<string, CampaignCall[]>;
	/** The due calls that wait for their turn, if the calls per hour are limited. */
	line: CampaignCall[];
	/** When the next call in the line may be placed (milliseconds since 1970). */
	nextTurn: number;
	/** This campaign's own do-not-call list. */
	doNotCall: Set<string>;
	/** The end of each number's cooldown (milliseconds since 1970). */
	rests: Map<string, number>;
	files: CampaignFile[];
	sftp: SftpConfiguration | null;
	created: number;
	updated: number;
}
