/**
 * A fact and its slot. Triggers, not a reference: they stand in the file and hold on every connection, while a foreign key
 * holds only where the connection asks for it.
 */
export const FACT_SLOT = `
create trigger fact_needs_slot before insert on fact
when not exists (select 1 from slot where nr = new.slot)
begin select raise(abort, 'a fact needs its slot'); end;

create trigger fact_keeps_slot before update of slot on fact
begin select raise(abort, 'a fact keeps its slot'); end;

create trigger slot_of_fact before delete on slot
when exists (select 1 from fact where slot = old.nr)
begin select raise(abort, 'facts stand in this slot'); end;
`
