import CProtobufC

#if MUTANTS
    import Mutants
#endif

/// The singular fields and the oneofs that a message has had so far: one bit for each field of its descriptor.
struct SeenFields {
    private var bits: UInt64 = 0

    /// Refuses a singular field the second time, and a second member of one oneof.
    mutating func insert(_ field: Prescan.Field, of descriptor: Prescan.Descriptor) throws(DecodingFailure) {
        guard unsafe field.pointee.label != PROTOBUF_C_LABEL_REPEATED else {
            return
        }
        let index = unsafe field - descriptor.pointee.fields
        guard index < DecodingLimits.declaredFieldsMaximum else {
            throw DecodingFailure(.tooManyFields)
        }
        #if MUTANTS
            if Mutant.noDuplicateCheck.isPlanted {
                return
            }
        #endif
        guard bits & (1 << UInt64(index)) == 0 else {
            throw DecodingFailure(.duplicate)
        }
        bits |= 1 << UInt64(index)
        if unsafe field.pointee.flags & PROTOBUF_C_FIELD_FLAG_ONEOF.rawValue != 0 {
            unsafe insertOneof(of: field, descriptor)
        }
    }

    /// Marks every member of the field's oneof: they are the fields that share its case member in the C structure.
    private mutating func insertOneof(of field: Prescan.Field, _ descriptor: Prescan.Descriptor) {
        let count = unsafe min(Int(descriptor.pointee.n_fields), DecodingLimits.declaredFieldsMaximum)
        for index in 0..<count {
            let other = unsafe descriptor.pointee.fields[index]
            let isMember = unsafe other.flags & PROTOBUF_C_FIELD_FLAG_ONEOF.rawValue != 0
            if unsafe isMember && other.quantifier_offset == field.pointee.quantifier_offset {
                bits |= 1 << UInt64(index)
            }
        }
    }
}
