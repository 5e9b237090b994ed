ALTER TABLE typed_events_next ATTACH PARTITION tuple() FROM typed_events
