/**
 * The requests that become the examples of the OpenAPI document. They use every operation except the audio files, and
 * all succeed.
 *
 * `name = path` keeps a value of the last response, of the seed, or of the kept values. A variable in a path is
 * replaced by the kept value with its name, and so is `$name` in a query (after `?`) or a body. `advance` lets seconds pass.
 */
export const TOUR = `
# What is there
GET /health
GET /action-integrations
GET /phone-numbers
?{ "type": "voice", "search": "$seed.phoneNumber" }
GET /voice-templates
?{ "language": "en-US", "quality_tier": "pro", "gender": "female" }
voice_template_id = seed.voiceTemplate
GET /voice-templates/:voice_template_id/demo

# Calls
agent_id = seed.agents.published
POST /agents/:agent_id/call
{ "to": "+12025550111", "payload": { "first_name": "Ada" }, "context": { "contact_id": "contact-1" },
  "delay_seconds": 0, "is_testing": true }
call_sid = response.data.id
advance 2
phone = "+12025550111"
GET /agents/:agent_id/active-call/:phone
POST /agents/:agent_id/end-call
{ "call_sid": "$call_sid" }
POST /calls
{ "agent_id": "$seed.agents.published", "to": "+12025550112", "payload": { "first_name": "Ada" },
  "context": { "contact_id": "contact-1" } }
advance 3600
GET /calls
?{ "status": "completed", "search": "+1202555", "per_page": 1 }
GET /agents/:agent_id/calls
?{ "direction": "outbound", "search": "+1202555", "per_page": 1 }

# Agents
GET /agents
?{ "status": "published", "per_page": 1 }
POST /agents
{ "name": "reminders", "label": "Reminders", "description": "Reminds people of their appointments", "language": "en-US",
  "initial_message": "Hello, this is a reminder.", "interrupt_sensitivity": "medium", "endpointing_sensitivity": "auto",
  "ivr_navigation_mode": "off", "conversation_speed": 1, "initial_message_delay": 0,
  "ask_if_human_present_on_idle": true, "idle_time_seconds": 10, "llm_temperature": 0.5, "enable_recording": true,
  "direction": "outbound", "who_speaks_first": "agent", "phone_number_ids": ["$seed.phoneNumber"] }
own_agent = response.data.id
agent_id = own_agent
PUT /agents/:agent_id/knowledge
{ "description": "Reminds people of their appointments", "initial_message": "Hello, this is a reminder.",
  "interrupt_sensitivity": "low", "ask_if_human_present_on_idle": false, "llm_temperature": 0.2,
  "initial_message_delay": 1 }
PUT /agents/:agent_id/voice
{ "voice_id": "$seed.voiceTemplate", "conversation_speed": 1.1, "who_speaks_first": "agent",
  "ambient_background": "office", "ambient_volume": 0.5, "language": "en-US" }
PUT /agents/:agent_id/calling
{ "direction": "outbound", "phone_number_ids": ["$seed.phoneNumber"] }
POST /agents/:agent_id/actions
{ "node_id": "look-up-order", "name": "look_up_order", "description": "Looks up an order", "type": "webhook",
  "inputs": [{ "name": "order_id", "type": "string", "required": true, "description": "The number of the order" }],
  "url": "https://example.com/orders", "authorization_scheme": "none",
  "custom_headers": [{ "key": "X-Source", "value": "voice-agent" }], "speak_on_send": "One moment.",
  "execution_mode": "during_call", "current_status": "active" }
action_id = response.data.id
GET /agents/:agent_id/actions
DELETE /agents/:agent_id/actions/:action_id
POST /agents/:agent_id/trainings
{ "node_id": "prices", "subject": "Prices", "instructions": "Name prices with tax.", "current_status": "active" }
training_id = response.data.id
GET /agents/:agent_id/trainings
DELETE /agents/:agent_id/trainings/:training_id
POST /agents/:agent_id/flow/validate
{ "flow_config": { "initial_node_id": "greeting", "nodes": [
  { "id": "greeting", "type": "say", "content": "Hello {{first_name}}.", "next": "bye" }, { "id": "bye", "type": "end" }] } }
POST /agents/:agent_id/flow/validate
{ "flow_config": { "initial_node_id": "greeting", "nodes": [
  { "id": "greeting", "type": "say", "content": "Hello {{first_name}}.", "next": "bye" }] } }
PUT /agents/:agent_id/flow
{ "conversation_mode": "flow_driven",
  "flow_config": { "initial_node_id": "greeting", "nodes": [
  { "id": "greeting", "type": "say", "content": "Hello {{first_name}}.", "next": "bye" }, { "id": "bye", "type": "end" }] } }
GET /agents/:agent_id/flow
GET /agents/:agent_id/flow/versions
GET /agents/:agent_id/pricing
GET /agents/:agent_id/pricing/summary
GET /callback-agents/source-agents
source = response.data.0.id
GET /agents
?{ "direction": "inbound", "per_page": 1 }
agent_id = response.data.0.id
POST /agents/:agent_id/callback
{ "source_agent_ids": ["$source"] }
PUT /agents/:agent_id/callback
{ "source_agent_ids": ["$source"] }
GET /callback-agents
agent_id = own_agent
POST /agents/:agent_id/webhooks
{ "name": "Call events", "webhook_url": "$receiver/events", "events": ["event_phone_call_ended", "event_recording"],
  "webhook_secret": "a-long-random-text", "timeout": 10, "max_retries": 0, "http_method": "POST",
  "custom_headers": [{ "key": "X-Source", "value": "voice-agent" }],
  "payload_templates": { "event_phone_call_ended": { "call": "{{call.id}}" } } }
webhook_id = response.data.id
GET /agents/:agent_id/webhooks
GET /agents/:agent_id/webhooks/:webhook_id
POST /agents/:agent_id/webhooks/:webhook_id/test
PUT /agents/:agent_id/webhooks/:webhook_id
{ "webhook_url": "$receiver/broken", "enabled": true }
POST /agents/:agent_id/webhooks/:webhook_id/test
GET /agents/:agent_id/webhooks/:webhook_id/logs
?{ "per_page": 1 }
log_id = response.data.0.id
POST /agents/:agent_id/webhooks/:webhook_id/logs/:log_id/retry
PATCH /agents/:agent_id/webhooks/:webhook_id/toggle
DELETE /agents/:agent_id/webhooks/:webhook_id
POST /agents/:agent_id/publish
GET /agents/:agent_id
POST /agents/:agent_id/unpublish
DELETE /agents/:agent_id

# Campaigns
GET /campaigns
?{ "status": "active", "campaign_type": "sales", "per_page": 1 }
POST /campaigns
{ "name": "Spring offers", "description": "Calls about the offers of spring", "campaign_type": "sales",
  "agent_id": "$seed.agents.published", "start_date": "2020-01-01", "end_date": "2040-12-31",
  "days_of_week": [1, 2, 3, 4, 5, 6, 7], "call_time_ranges": [{ "start": "00:00", "end": "24:00" }],
  "timezone": "Europe/Berlin", "max_retries": 2, "retry_cooldown_hours": 24, "do_not_call_enabled": true,
  "do_not_call_list_source": "environment" }
campaign_id = response.data.id
PUT /campaigns/:campaign_id
{ "description": null, "max_retries": 1 }
POST /campaigns/:campaign_id/webhooks
{ "name": "Campaign events", "webhook_url": "$receiver/broken",
  "events": ["campaign_call.completed", "campaign.completed"], "include_call_events": false,
  "webhook_secret": "a-long-random-text", "timeout": 10, "max_retries": 0, "enabled": true, "http_method": "POST" }
webhook_id = response.data.id
GET /campaigns/:campaign_id/webhooks
GET /campaigns/:campaign_id/webhooks/:webhook_id
PUT /campaigns/:campaign_id/webhooks/:webhook_id
{ "events": ["campaign_call.completed", "campaign_call.failed"] }
POST /campaigns/:campaign_id/webhooks/:webhook_id/test
advance 5
GET /campaigns/:campaign_id/webhooks/:webhook_id/logs
?{ "page": 1, "per_page": 1 }
log_id = response.data.0.id
POST /campaigns/:campaign_id/webhooks/:webhook_id/logs/:log_id/retry
PATCH /campaigns/:campaign_id/webhooks/:webhook_id/toggle
DELETE /campaigns/:campaign_id/webhooks/:webhook_id
PATCH /campaigns/:campaign_id/status
{ "status": "active" }
POST /campaigns/:campaign_id/call
{ "to": "+12025550101", "payload": { "first_name": "Ada" }, "context": { "contact_id": "contact-1" } }
advance 3600
GET /campaigns/:campaign_id
PATCH /campaigns/:campaign_id/status
{ "status": "completed" }
DELETE /campaigns/:campaign_id

# SFTP
campaign_id = seed.campaigns.active
POST /campaigns/:campaign_id/sftp
{ "host": "sftp.example.com", "port": 22, "username": "ada", "auth_type": "password", "password": "a-long-random-text",
  "import_path": "/contacts", "export_path": "/results", "import_schedule": "manual" }
POST /campaigns/:campaign_id/sftp/test-connection
GET /campaigns/:campaign_id/sftp
PUT /campaigns/:campaign_id/sftp
{ "import_schedule": "hourly", "is_enabled": true }
POST /campaigns/:campaign_id/sftp/trigger-import
advance 60
GET /campaigns/:campaign_id
file = response.data.files.0.id
POST /campaigns/:campaign_id/sftp/trigger-export
{ "file_data_ids": ["$file"] }
advance 60
GET /campaigns/:campaign_id/sftp/logs
?{ "per_page": 2 }
PUT /campaigns/:campaign_id/sftp
{ "host": "sftp.invalid" }
POST /campaigns/:campaign_id/sftp/test-connection

# SIP trunks
POST /sip-trunks
{ "name": "Main line", "provider_name": "example-carrier", "domain": "sip.example.com", "username": "ada",
  "password": "a-long-random-text", "transport": "tls", "outbound_proxy": "proxy.example.com" }
trunk_id = response.data.id
POST /sip-trunks/:trunk_id/verify
GET /sip-trunks
GET /sip-trunks/:trunk_id
PUT /sip-trunks/:trunk_id
{ "name": "Line of the office", "is_active": true }
GET /sip-trunks/:trunk_id/health
POST /sip-trunks/:trunk_id/dids
{ "country_code": "US", "number": "+12025550177" }
phone_number_id = response.data.id
GET /sip-trunks/:trunk_id/dids
DELETE /sip-trunks/:trunk_id/dids/:phone_number_id
PUT /sip-trunks/:trunk_id
{ "domain": "sip.invalid" }
POST /sip-trunks/:trunk_id/verify
DELETE /sip-trunks/:trunk_id
trunk_id = seed.sipTrunk
GET /sip-trunks/:trunk_id/health

# Calendars
GET /calendars
?{ "per_page": 1 }
POST /calendars
{ "name": "Consultations", "owner_id": "$seed.user", "timezone": "Europe/Berlin",
  "metadata": { "meeting_provider": "example" } }
own_calendar = response.data.id
calendar_id = own_calendar
GET /calendars/:calendar_id
calendar_id = seed.calendar
GET /calendars/:calendar_id/providers
POST /calendars/sync
GET /calendars/sync-status
calendar_id = own_calendar
PUT /calendars/:calendar_id
{ "name": "First consultations" }
POST /calendars/:calendar_id/members
{ "user_id": "5f0f2f0e-0a4b-4c55-8a1c-2f1f3c9d7e01", "role": "viewer" }
member_id = response.data.id
GET /calendars/:calendar_id/members
PUT /calendars/:calendar_id/members/:member_id
{ "role": "editor" }
DELETE /calendars/:calendar_id/members/:member_id
POST /calendars/:calendar_id/availability-rules
{ "type": "recurring", "days_of_week": [1, 2, 3, 4, 5], "start_time": "09:00", "end_time": "11:00" }
rule_id = response.data.id
GET /calendars/:calendar_id/availability-rules
PUT /calendars/:calendar_id/availability-rules/:rule_id
{ "end_time": "10:00" }
POST /calendars/:calendar_id/events
{ "title": "First consultation", "start_at": "2030-01-15T08:00:00Z", "end_at": "2030-01-15T08:30:00Z",
  "description": "About the offers of spring", "status": "confirmed", "type": "meeting",
  "attendees": [{ "name": "Ada", "email": "ada@example.com" }] }
event_id = response.data.id
GET /calendars/:calendar_id/availability
?{ "from": "2030-01-15T00:00:00Z", "to": "2030-01-16T00:00:00Z", "duration_minutes": 30 }
GET /calendars/:calendar_id/events
?{ "from": "2030-01-15T00:00:00Z", "to": "2030-01-16T00:00:00Z", "status": "confirmed" }
GET /calendars/events
?{ "calendar_ids": ["$calendar_id"], "from": "2030-01-15T00:00:00Z", "to": "2030-01-16T00:00:00Z" }
POST /calendars/:calendar_id/events/:event_id/meeting
POST /calendars/:calendar_id/events/:event_id/attendees
{ "name": "Grace", "email": "grace@example.com" }
attendee_id = response.data.id
GET /calendars/:calendar_id/events/:event_id
DELETE /calendars/:calendar_id/events/:event_id/attendees/:attendee_id
PUT /calendars/:calendar_id/events/:event_id
{ "start_at": "2030-01-15T09:00:00Z", "end_at": "2030-01-15T09:30:00Z" }
DELETE /calendars/:calendar_id/events/:event_id
DELETE /calendars/:calendar_id/availability-rules/:rule_id
DELETE /calendars/:calendar_id
`;
